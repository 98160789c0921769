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

export const NAMES: readonly CommandName[] = COMMAND_NAMES;

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

/** What a flag's value is completed from. */
export type ValueSource =
  | { readonly type: "none" }
  | { readonly type: "choices"; readonly choices: readonly string[] }
  | { readonly type: "folder" }
  | { readonly type: "free"; readonly label: string };

export function valueSource({ value }: Flag): ValueSource {
  if (value.kind === "none") return { type: "none" };
  if (value.kind === "choice") return { type: "choices", choices: value.choices };
  return value.label === "DIR" ? { type: "folder" } : { type: "free", label: value.label };
}
