// Starts every command. `run` is loaded when it is called, because it brings the agent and its schemas, and the
// terminal app shows its editor before it needs those.
import { commandLine, type LoadCommand } from "./command-line.ts";
import { openConsole } from "./console.ts";

export function start(args: readonly string[], loadOther: LoadCommand): Promise<number> {
  return commandLine(args, openConsole(), async (name) =>
    name === "run" ? (await import("./run.ts")).run : loadOther(name),
  );
}
