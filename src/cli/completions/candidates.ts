// What can be completed where, for every shell.
import { COMMAND_NAMES, COMMANDS, type CommandFacts, type CommandName } from "../commands.ts";
import { type Flag, type FlagName, flagsOf } from "../flags.ts";

export interface Candidates {
  readonly command: CommandName;
  readonly summary: string;
  /** Words that may come first. */
  readonly words: readonly string[];
  readonly flags: readonly (readonly [FlagName, Flag])[];
  /** Whether a file may follow. */
  readonly takesFile: boolean;
}

/** The app, which runs when no command is named, comes first. */
export const CANDIDATES: readonly Candidates[] = (["app", ...COMMAND_NAMES] as const).map((command) => {
  const { summary, words = [], operands }: CommandFacts = COMMANDS[command];
  return {
    command,
    summary,
    words: command === "help" ? COMMAND_NAMES : words,
    flags: flagsOf(command),
    takesFile: operands.includes("FILE"),
  };
});

/** How a shell completes a flag's value. */
export interface ValueCompletion {
  readonly choices: (choices: readonly string[]) => string;
  readonly folder: string;
  readonly file: string;
  readonly free: (label: string) => string;
}

/** null for a flag without a value, or one that can do without. */
export function completedValue({ value }: Flag, shell: ValueCompletion): string | null {
  if (value.kind === "none" || value.kind === "optional") return null;
  if (value.kind === "choice") return shell.choices(value.choices);
  if (value.label === "DIR") return shell.folder;
  return value.label === "FILE" || value.label === "PATH" ? shell.file : shell.free(value.label);
}
