// Runs one command from argv to its exit code. Anything it throws becomes a sentence and a code.
import { errorCode } from "../domain/error.ts";
import type { CommandName } from "./commands.ts";
import { ClosedPipeError, type Console } from "./console.ts";
import { describeError, isBug } from "./describe-error.ts";
import { EXIT_CLOSED_PIPE, exitCodeOf } from "./exit-code.ts";
import { type Invocation, parseCommandLine } from "./parse-flags.ts";
import { forTerminal } from "./wrap-words.ts";

/** Returns the exit code. */
export type CliCommand = (invocation: Invocation, console: Console) => Promise<number>;

/** Every command is loaded when it is called. */
export type LoadCommand = (name: Exclude<CommandName, "run">) => Promise<CliCommand>;

export async function commandLine(
  args: readonly string[],
  console: Console,
  load: (name: CommandName) => Promise<CliCommand>,
): Promise<number> {
  try {
    const invocation = parseCommandLine(args);
    const asked = invocation.flags.help === true ? helpOn(invocation.command) : invocation;
    const run = await load(asked.command);
    return await run(asked, console);
  } catch (error) {
    if (error instanceof ClosedPipeError) return EXIT_CLOSED_PIPE;
    const words = describeError(error);
    // A stack trace is not prose: wrapping would make it harder to read.
    console.tell(isBug(error) ? words : forTerminal(words, console));
    return exitCodeOf(errorCode(error));
  }
}

function helpOn(command: CommandName): Invocation {
  return { command: "help", flags: {}, operands: command === "app" ? [] : [command] };
}
