// `tunacode doctor`: checks the machine and the set-up; with a session, finds and repairs its damage and says what it
// did.
import { type Check, checkMachine } from "../app/machine-checks.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { errorMessage, TunacodeError } from "../domain/error.ts";
import { openSession } from "../session/open.ts";
import { sessionFolder } from "../session/paths.ts";
import { isLoss } from "../session/report.ts";
import type { Console } from "./console.ts";
import { EXIT_DONE } from "./exit-code.ts";
import { wantsJson } from "./output-format.ts";
import type { Invocation } from "./parse-flags.ts";
import { type ConfiguredPlace, configuredPlace } from "./place.ts";
import { holderName, locate } from "./sessions.ts";

const EXIT_FAILURE = 1;

export async function run({ flags, operands }: Invocation, console: Console): Promise<number> {
  const [session, ...others] = operands;
  if (others.length > 0) throw new TunacodeError("usage", "One session at a time. Try: tunacode help doctor");
  const json = wantsJson(flags);
  const checks = session === undefined ? machine(flags, console) : repair(session, console);
  const found: Check[] = [];
  for await (const check of checks) {
    found.push(check);
    if (!json) await console.print(lines(check));
  }
  if (json) await console.print(`${JSON.stringify(found, null, 2)}\n`);
  return found.some((check) => check.status === "failure") ? EXIT_FAILURE : EXIT_DONE;
}

async function* machine(flags: Invocation["flags"], console: Console): AsyncGenerator<Check> {
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
  yield { name: "config", status: "ok", message: files.join(", ") || "no file, which is fine" };
  for (const message of loaded.warnings)
    yield { name: "config", status: "warning", message, remedy: "See: tunacode config show" };
  const { defaultModel, providers } = loaded.config;
  yield* checkMachine({
    env: variables,
    root,
    providers,
    ...(defaultModel !== undefined && { defaultModel }),
    ...(flags.model !== undefined && { model: flags.model }),
    ...(flags["base-url"] !== undefined && { baseUrl: flags["base-url"] }),
  });
}

async function* repair(id: string, console: Console): AsyncGenerator<Check> {
  const paths = await locate(sessionFolder(console.env), id);
  const opening = await openSession(paths);
  if (opening.type === "missing") throw new TunacodeError("usage", `There is no session ${id}.`);
  if (opening.type === "held") {
    const message = `It is open in ${holderName(opening.holder)}, which keeps it in order.`;
    yield { name: "session", status: "warning", message, remedy: "End that first, then look again." };
    return;
  }
  const { session } = opening;
  // Closing writes what was repaired.
  await session.writer.close();
  const { notes, repairs } = session.report;
  for (const note of notes)
    yield isLoss(note)
      ? {
          name: note.kind,
          status: "warning",
          message: note.why,
          remedy: "Everything else is kept; nothing more to do.",
        }
      : { name: note.kind, status: "ok", message: note.why };
  for (const { kind, why } of repairs) yield { name: kind, status: "ok", message: why };
  const count = session.state.conversation.messages.length;
  yield { name: "session", status: "ok", message: `${paths.sessionId}: ${count} messages, valid and saved` };
}

function lines({ name, status, message, remedy }: Check): string {
  const text = `${status.padEnd(8)} ${name.padEnd(15)} ${message}\n`;
  const told = remedy === undefined ? text : `${text}${" ".repeat(25)}Remedy: ${remedy}\n`;
  return stripTerminalControls(told);
}
