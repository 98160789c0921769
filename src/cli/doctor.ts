// `tunacode doctor [FILE|ID]`: checks the machine; with a session, finds and repairs damage and says what it did.
import { checkFolders, type Examined, examineSession } from "../app/doctor.ts";
import { locateSession } from "../app/sessions.ts";
import { stripTerminalControls } from "../base/terminal-text.ts";
import { errorMessage, TunacodeError } from "../domain/error.ts";
import type { SessionsInput } from "./sessions.ts";

const USAGE = "Usage: tunacode doctor [FILE|ID]";
const DONE = 0;
const FAILED = 1;
const USAGE_ERROR = 2;

export async function doctorCommand(input: SessionsInput): Promise<number> {
  const [name, ...more] = input.arguments;
  if (more.length > 0 || name?.startsWith("-")) {
    input.stderr(`${USAGE}\n`);
    return USAGE_ERROR;
  }
  try {
    return name === undefined ? await checkMachine(input) : await checkSession(name, input);
  } catch (error) {
    input.stderr(`${errorMessage(error)}\n`);
    return error instanceof TunacodeError && error.code === "usage" ? USAGE_ERROR : FAILED;
  }
}

async function checkMachine({ environment, stdout }: SessionsInput): Promise<number> {
  const findings = await checkFolders(environment);
  for (const { ok, what } of findings) stdout(`${ok ? "ok  " : "BAD "} ${what}\n`);
  return findings.every(({ ok }) => ok) ? DONE : FAILED;
}

async function checkSession(name: string, { environment, cwd, stdout }: SessionsInput): Promise<number> {
  const paths = await locateSession(environment, cwd, name);
  const examined = await examineSession(paths);
  if (examined.type === "missing") throw new TunacodeError("usage", `There is no session ${name}.`);
  const { report, state } = examined.session;
  for (const { why } of [...report.notes, ...report.repairs]) stdout(`${stripTerminalControls(why)}\n`);
  const { length } = state.conversation.messages;
  stdout(`Session ${state.sessionId || name}: ${length} messages, ${verdict(examined)}\n`);
  return examined.type === "held" ? FAILED : DONE;
}

function verdict(examined: Exclude<Examined, { type: "missing" }>): string {
  switch (examined.type) {
    case "held":
      return "open in another window: left alone.";
    case "healthy":
      return "nothing is wrong with it.";
    case "repaired":
      return examined.lossless ? "repaired, nothing was lost." : "repaired; what was damaged is kept aside.";
  }
}
