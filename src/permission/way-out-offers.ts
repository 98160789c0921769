// The ways out of the sandbox that a person can choose from, besides one run outside: opening what was missing, or
// running this command outside from now on.
import type { Offer } from "../domain/permission.ts";
import type { AskedCall } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import { decide } from "./decide.ts";
import { offersFor } from "./propose-rule.ts";
import { parseRules } from "./rules.ts";
import type { Missing } from "./way-out.ts";
import { pathFromHome, writeRule } from "./way-out-folder.ts";
import { connectRule, isThisMachine, judgeHost } from "./way-out-host.ts";

export interface WayOut {
  readonly offer: Offer;
  /** Where the command then runs again. */
  readonly sandboxed: boolean;
}

/** With yes and no beside them, they can still be read at a glance. */
const MAX_OFFERS = 7;
const SPANS: Readonly<Record<Offer["lasts"], string>> = {
  once: "this time",
  session: "in this session",
  always: "always in this project",
};

/** Where a registry sends its clients for the files. They would be missing next. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  "pypi.org": ["files.pythonhosted.org"],
  "index.crates.io": ["static.crates.io"],
  "proxy.golang.org": ["sum.golang.org"],
};

export function waysOut(missing: Missing, call: AskedCall, context: PermissionContext): readonly WayOut[] {
  const things = openable(missing, context);
  const together = things.length === 0 ? [] : LASTS.map((lasts) => opening(things, lasts));
  const apart = things.length < 2 ? [] : things.map((thing) => opening([thing], "session"));
  const outside = offersOutside(call, context);
  const room = MAX_OFFERS - together.length - outside.length;
  return [
    ...[...together, ...apart.slice(0, Math.max(0, room))].map((offer) => ({ offer, sandboxed: true })),
    ...outside.map((offer) => ({ offer, sandboxed: false })),
  ];
}

const LASTS: readonly Offer["lasts"][] = ["once", "session", "always"];

interface Thing {
  readonly names: readonly string[];
  readonly rules: readonly string[];
}

function openable({ openHosts, openFolders }: Missing, context: PermissionContext): readonly Thing[] {
  const hosts = openHosts.flatMap((host) => {
    const others = COMPANIONS[host] ?? [];
    return [host, ...others.filter((other) => judgeHost(other, context) === "open")];
  });
  return [
    ...[...new Set(hosts)].map((host) => ({
      names: [isThisMachine(host) ? `${host} (this machine)` : host],
      rules: [connectRule(host)],
    })),
    // One of a program's caches is of no use without the others.
    ...(openFolders.length === 0 ? [] : [foldersTogether(openFolders, context)]),
  ];
}

function foldersTogether(folders: readonly string[], context: PermissionContext): Thing {
  return {
    names: folders.map((folder) => pathFromHome(folder, context)),
    rules: folders.map((folder) => writeRule(folder, context)),
  };
}

function opening(things: readonly Thing[], lasts: Offer["lasts"]): Offer {
  const names = things.flatMap((thing) => thing.names);
  const listed = names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return {
    // What differs comes first, because on a narrow screen the end is cut.
    label: `inside, ${SPANS[lasts]}, with ${listed} open`,
    rules: things.flatMap(({ rules }) => rules),
    lasts,
  };
}

/** Only rules with which it really runs outside the next time. */
function offersOutside(call: AskedCall, context: PermissionContext): readonly Offer[] {
  const leadsOutside = ({ rules: texts }: Offer) => {
    const { rules } = parseRules(texts, "allow", "session", context.vocabulary);
    const { decision, sandboxed } = decide(call, { ...context, rules: [...context.rules, ...rules] });
    return decision === "allow" && sandboxed !== true;
  };
  return offersFor(call, { ...context, sandbox: false })
    .filter(leadsOutside)
    .map((offer) => ({ ...offer, label: `outside, ${offer.label}` }));
}
