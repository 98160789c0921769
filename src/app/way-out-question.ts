// Asks the person once when a command failed for want of something that the sandbox keeps from it: to run it again
// outside, or inside with that opened.

import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { never } from "../base/never.ts";
import { shellQuoted } from "../base/shell-program.ts";
import { UserAbortError } from "../domain/error.ts";
import type { AskedCommand, Offer, PersonAnswer } from "../domain/permission.ts";
import type { PermissionContext } from "../permission/context.ts";
import type { SandboxReport } from "../permission/sandboxed-command.ts";
import { findMissing, type Missing } from "../permission/way-out.ts";
import { pathFromHome } from "../permission/way-out-folder.ts";
import { isThisMachine } from "../permission/way-out-host.ts";
import type { WayOut } from "../permission/way-out-offers.ts";
import type { Aftermath, CommandEnd, ShellPlace } from "../tools/ports.ts";
import type { Person } from "./settings.ts";

interface WayOutPorts {
  readonly context: () => PermissionContext;
  /** null if nobody is there. A reviewing model never answers this question. */
  readonly ask: Person["askPermission"] | null;
  /** Gets a sentence for the person where nobody can be asked. */
  readonly notify: (text: string) => void;
  /** Called when the person takes an offer that lasts. */
  readonly remember: (offer: Offer) => void;
}

export async function askForWayOut(
  { refused }: SandboxReport,
  end: CommandEnd,
  place: ShellPlace,
  { context, ask, notify, remember }: WayOutPorts,
  signal: AbortSignal,
): Promise<Aftermath> {
  const { asked, onlyReads } = place;
  const { command } = asked;
  if (onlyReads === true || command === undefined || signal.aborted) return { remarks: [] };
  const { script, folder, env } = command;
  const missing = findMissing({ ...end, script, refused, mayWrite }, context());
  if (missing === null) return { remarks: [] };
  const lack = describeLack(missing, context());
  const told = (more: string): Aftermath => ({ remarks: [`[Inside the sandbox ${lack}. ${more}]`] });
  if (place.reach !== undefined) return { remarks: [`[The second time, ${lack}. It is not run again.]`] };
  if (isForbidden(missing)) return told("That is forbidden, so nobody was asked to open it.");

  const call = {
    toolName: asked.toolName,
    demands: [{ type: "shell" as const, command: script, folder, env }],
  };
  const { decide } = await import("../permission/decide.ts");
  const { waysOut } = await import("../permission/way-out-offers.ts");
  const denial = () => {
    const { decision, reason } = decide(call, context());
    return decision === "deny" ? reason : null;
  };
  if (denial() !== null) return told("It is not run again.");
  const ways = waysOut(missing, call, context());
  if (ask === null) {
    const flags = flagsFor(ways);
    notify(`A command ran in the sandbox, where ${lack}. To allow that: ${flags}`);
    return told(`Nobody can be asked here. The person can allow it with ${flags}.`);
  }

  const outside: AskedCommand = { ...command, sandboxed: false };
  const question = {
    ...asked,
    title: "It failed inside the sandbox. Run it again, outside?",
    preview: null,
    command: outside,
    decision: { decision: "ask" as const, reason: reasonFor(lack, missing), sandboxed: false },
    yes: "outside, this time",
    offers: ways.map(({ offer }) => offer),
  };
  const said = await ask(question, signal);
  const way = wayOf(said, ways);
  if (way === null) return told(refusalOf(said));
  // The rules and the mode may have changed since the question was shown.
  const forbidden = denial();
  if (forbidden !== null) return told(`The person said yes, but it is not run again: ${forbidden}`);
  if (way.offer !== null && way.offer.lasts !== "once") remember(way.offer);
  return { remarks: [ranTwice(lack, way)], again: placeFor(way, place, outside) };
}

/** offer: null for one run outside. */
type Chosen = { readonly offer: Offer | null; readonly sandboxed: boolean };

function wayOf(said: PersonAnswer, ways: readonly WayOut[]): Chosen | null {
  if (said.type === "once") return { offer: null, sandboxed: false };
  return said.type === "offer" ? (ways[said.offer] ?? null) : null;
}

/** Throws if the person ends the request. */
function refusalOf(said: PersonAnswer): string {
  switch (said.type) {
    case "stop":
      throw new UserAbortError();
    case "deny": {
      const words = said.words?.trim() ?? "";
      const no = "The person was asked to run it again with that open, and said no";
      return words === "" ? `${no}. Don't try to get around it.` : `${no}: ${words}`;
    }
    case "changed":
      return `The person was asked, and wants other arguments: ${JSON.stringify(said.args)}. Call it again with those.`;
    case "once":
    case "offer":
      return "It was not run again.";
    default:
      return never(said);
  }
}

function placeFor({ offer, sandboxed }: Chosen, place: ShellPlace, outside: AskedCommand): ShellPlace {
  // Rules that last are in force by now.
  const rules = sandboxed && offer?.lasts === "once" ? offer.rules : [];
  const command = { ...outside, sandboxed };
  return { ...place, sandboxed, reach: { rules }, asked: { ...place.asked, command } };
}

function ranTwice(lack: string, { offer, sandboxed }: Chosen): string {
  const where = sandboxed ? `inside with more open (${offer?.rules.join(", ")})` : "outside it";
  return `[It ran twice: first inside the sandbox, where ${lack}; then ${where}, because the person said so.]`;
}

function reasonFor(lack: string, { forbidden }: Missing): string {
  const free = forbidden.length === 0 ? "" : " Outside, nothing keeps it from what is forbidden.";
  return `It ran inside the sandbox, where ${lack}. What it had done by then stays done, and it would run again from the start.${free}`;
}

function flagsFor(ways: readonly WayOut[]): string {
  const rules = ways.find(({ sandboxed }) => sandboxed)?.offer.rules ?? ways[0]?.offer.rules ?? [];
  return rules.length === 0 ? "--sandbox off" : rules.map((rule) => `--allow ${shellQuoted(rule)}`).join(" ");
}

/** "it could not reach example.com and could not write ~/.npm/x" */
function describeLack(
  { hosts, network, paths, devices, forbidden }: Missing,
  context: PermissionContext,
): string {
  const reached = hosts.map((host) => (isThisMachine(host) ? `${host} (this machine)` : host));
  const all = [
    ...(network ? ["the network"] : []),
    ...reached,
    ...devices,
    ...forbidden.map((each) => `${pathFromHome(each, context)} (forbidden)`),
  ];
  const written = paths.map((path) => pathFromHome(path, context));
  const clauses = [
    ...(all.length === 0 ? [] : [`could not reach ${all.join(", ")}`]),
    ...(written.length === 0 ? [] : [`could not write ${written.join(", ")}`]),
  ];
  return `it ${clauses.join(" and ")}`;
}

function isForbidden({ hosts, network, paths, devices }: Missing): boolean {
  return hosts.length + paths.length + devices.length === 0 && !network;
}

/** Outside, a file could be made there. */
function mayWrite(path: string): boolean {
  let place = path;
  while (place !== "/" && !existsSync(place)) place = dirname(place);
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    // Not there either, so a run outside would not help.
    return false;
  }
}
