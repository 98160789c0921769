// `tunacode doctor` checks the machine and the setup. Given a session, it finds and repairs damage and says what it
// did.

import { type Examined, examineSession } from "../app/doctor.ts";
import type { MachineCheck } from "../app/machine-checks.ts";
import { locateSession } from "../app/sessions.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { errorMessage, TunacodeError } from "../domain/error.ts";
import { isLoss } from "../session/report.ts";
import { modelPreferences } from "./agent-settings.ts";
import type { Console } from "./console.ts";
import { EXIT_DONE } from "./exit-code.ts";
import { type Invocation, wantsJson } from "./parse-flags.ts";
import { type ConfiguredPlace, configuredPlace, findPlace } from "./place.ts";

const EXIT_FAILURE = 1;

export async function runDoctor({ flags, operands }: Invocation, console: Console): Promise<number> {
  const [session, ...others] = operands;
  if (others.length > 0)
    throw new TunacodeError("usage", "Only one session at a time. Try: tunacode help doctor");
  if (flags["dry-run"] && session === undefined)
    throw new TunacodeError("usage", "A dry run needs a session: tunacode doctor --dry-run ID");
  const json = wantsJson(flags);
  const checks = session === undefined ? machine(flags, console) : repair(session, flags, console);
  const found: MachineCheck[] = [];
  for await (const check of checks) {
    found.push(check);
    if (!json) await console.print(lines(check));
  }
  if (json) await console.print(`${JSON.stringify(found, null, 2)}\n`);
  return found.some((check) => check.status === "failure") ? EXIT_FAILURE : EXIT_DONE;
}

/** The same for the app: a row for each check. */
export async function machineReport(flags: Invocation["flags"], console: Console): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const { name, status, message, remedy } of machine(flags, console)) {
    const told = remedy === undefined ? message : `${message}\nRemedy: ${remedy}`;
    rows.push([status, name, told]);
  }
  return rows;
}

async function* machine(flags: Invocation["flags"], console: Console): AsyncGenerator<MachineCheck> {
  let place: ConfiguredPlace;
  try {
    place = await configuredPlace(console, flags.cwd);
  } catch (error) {
    // Nothing else can be checked with a configuration that can't be read.
    if (!(error instanceof TunacodeError) || error.code !== "config") throw error;
    const message = errorMessage(error);
    yield { name: "config", status: "failure", message, remedy: "Correct the file: tunacode config schema" };
    return;
  }
  const { loaded, variables, root } = place;
  const files = loaded.layers.flatMap((layer) => layer.path ?? []);
  yield { name: "config", status: "ok", message: files.join(", ") || "no file, and none is needed" };
  for (const message of loaded.warnings)
    yield { name: "config", status: "warning", message, remedy: "See: tunacode config show" };
  // Loaded lazily, because the terminal app shares this chunk.
  const { checkMachine } = await import("../app/machine-checks.ts");
  const { undo, retention } = loaded.config;
  yield* checkMachine({ env: variables, root, models: modelPreferences(flags, loaded.config) });
  const { checkKept } = await import("../app/storage-checks.ts");
  yield* checkKept({ env: variables, undo, retention });
  const { checkWorktrees } = await import("../app/worktree-checks.ts");
  yield* checkWorktrees(variables);
}

async function* repair(
  name: string,
  flags: Invocation["flags"],
  console: Console,
): AsyncGenerator<MachineCheck> {
  const paths = await locateSession(console.env, findPlace(console, flags.cwd).cwd, name);
  const examined = await examineSession(paths, { dryRun: flags["dry-run"] ?? false });
  if (examined.type === "missing") throw new TunacodeError("usage", `There is no session ${name}.`);
  if (examined.type === "foreign")
    throw new TunacodeError("usage", `${name} contains no session. It was not changed.`);
  const { report, state } = examined.session;
  const status = STATUS_OF_CHANGES[examined.type];
  for (const { kind, why } of report.repairs) yield { name: kind, status, message: why };
  const remedy = `The damaged file ${examined.type === "damaged" ? "would be" : "is"} kept beside it.`;
  for (const note of report.notes) {
    const { kind, why: message } = note;
    if (isLoss(note)) yield { name: kind, status: "warning", message, remedy };
    else yield { name: kind, status: kind === "unsent-prompt" ? "ok" : status, message };
  }
  const { checkSessionStore } = await import("../app/storage-checks.ts");
  const change = examined.type !== "held" && flags["dry-run"] !== true;
  const kept = await checkSessionStore(paths, { change });
  if (kept !== null) yield kept;
  const count = state.conversation.messages.length;
  yield { name: "session", ...verdict(examined, `${state.sessionId || name}: ${count} messages`) };
}

type ExaminedSession = Exclude<Examined, { type: "missing" | "foreign" }>;

const STATUS_OF_CHANGES = {
  // An open turn of a session in use is not damage.
  held: "ok",
  healthy: "ok",
  damaged: "planned",
  repaired: "changed",
} as const satisfies Record<ExaminedSession["type"], MachineCheck["status"]>;

function verdict(examined: ExaminedSession, what: string): Omit<MachineCheck, "name"> {
  switch (examined.type) {
    case "held":
      return {
        status: "failure",
        message: `${what}, open in another window`,
        remedy: "Close it there first.",
      };
    case "healthy":
      return { status: "ok", message: `${what}, healthy` };
    case "damaged":
    case "repaired": {
      const isDone = examined.type === "repaired";
      const { state } = examined.session;
      if (!examined.lossless && state.conversation.messages.length === 0)
        return {
          status: "failure",
          message: `${what}: none of it could be read`,
          remedy: `${isDone ? "The unreadable file was set aside: restore" : "Restore"} a copy from a backup.`,
        };
      const status = STATUS_OF_CHANGES[examined.type];
      if (!isDone) return { status, message: `${what} after a repair; nothing was changed` };
      const lost = examined.lossless ? "nothing was lost" : "the damaged file was set aside";
      return { status, message: `${what}, repaired; ${lost}` };
    }
  }
}

function lines({ name, status, message, remedy }: MachineCheck): string {
  const text = `${status.padEnd(8)} ${name.padEnd(15)} ${message}\n`;
  const told = remedy === undefined ? text : `${text}${" ".repeat(25)}Remedy: ${remedy}\n`;
  return stripTerminalControls(told);
}
