// Starts every command. All that `run` needs is in this chunk of the build, because each further chunk delays a short
// answer by a tenth of a millisecond.
import { commandLine, type LoadCommand } from "./command-line.ts";
import { openConsole } from "./console.ts";
import { run } from "./run.ts";

export function start(args: readonly string[], loadOther: LoadCommand): Promise<number> {
  return commandLine(args, openConsole(), async (name) => (name === "run" ? run : loadOther(name)));
}
