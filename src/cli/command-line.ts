// One command from argv to its exit code; whatever it throws becomes a sentence and a code.
import { errorCode } from "../domain/error.ts";
import type { CommandName } from "./commands.ts";
import { ClosedPipeError, type Console } from "./console.ts";
import { describeError } from "./describe-error.ts";
import { EXIT_CLOSED_PIPE, EXIT_DONE, exitCodeOf } from "./exit-code.ts";
import { type Invocation, parseCommandLine } from "./parse-flags.ts";

/** What a file of a command exports. */
export interface Command {
  readonly run: (invocation: Invocation, console: Console) => Promise<number>;
}

/** Those that are not asked for cost nothing. */
export type Commands = Readonly<Record<CommandName, () => Promise<Command>>>;

export async function commandLine(
  args: readonly string[],
  console: Console,
  commands: Commands,
): Promise<number> {
  try {
    const invocation = parseCommandLine(args);
    if (invocation.flags.help === true) return await printHelp(invocation.command, console);
    const { run } = await commands[invocation.command]();
    return await run(invocation, console);
  } catch (error) {
    if (error instanceof ClosedPipeError) return EXIT_CLOSED_PIPE;
    console.tell(describeError(error));
    return exitCodeOf(errorCode(error));
  }
}

async function printHelp(command: CommandName, console: Console): Promise<number> {
  const { helpText } = await import("./help.ts");
  await console.print(helpText(command));
  return EXIT_DONE;
}
