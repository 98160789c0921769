// The start of every command, and all that `run` needs, loaded in one piece: each further piece that a short answer
// loads takes a tenth of a millisecond.
import { commandLine, type LoadCommand } from "./command-line.ts";
import { openConsole } from "./console.ts";
import { run } from "./run.ts";

export function start(args: readonly string[], loadOther: LoadCommand): Promise<number> {
  return commandLine(args, openConsole(), async (name) => (name === "run" ? { run } : loadOther(name)));
}
