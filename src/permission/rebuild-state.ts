// What is known while a command is rebuilt: where it is, the values of variables, and the commands found so far.
import type { ParsedScript } from "unbash";
import type { Ground } from "./read-only.ts";
import type { ReadOnlyAnswer } from "./read-only-answer.ts";
import type { KnownWord } from "./rule-match.ts";
import type { RedirectUse } from "./shell-command.ts";
import type { GlobGround } from "./shell-glob.ts";

/** Thrown inside the rebuilding; the message is the reason. */
export class NotRebuilt extends Error {}

export interface RebuildGround extends Ground, GlobGround {
  readonly home: string;
}

export interface Place {
  /** As it was written, for rules that name it so. */
  readonly written: string;
  /** The shell's PWD. */
  readonly path: string;
}

/** A simple command that will run. Without words, there are only redirections. */
export interface RebuiltCommand {
  readonly text: string;
  readonly words: readonly KnownWord[];
  readonly uses: readonly RedirectUse[];
  readonly place: Place;
  /** null without words. */
  readonly answer: Extract<ReadOnlyAnswer, { harmless: true }> | null;
}

/** Mutable while a command is rebuilt. */
export interface Rebuilding extends RebuildGround {
  place: Place;
  /** Nobody knows in which folder the following commands run. */
  lost: boolean;
  /** How often a loop was written out so far. */
  rounds: number;
  variables: ReadonlyMap<string, string>;
  readonly commands: RebuiltCommand[];
  /** Name -> the file that was judged. */
  readonly programs: Map<string, string>;
  /** The text that positions refer to. */
  source: string;
  depth: number;
  /** Reads a script given as text, in place. */
  readonly readText: (text: string, state: Rebuilding) => string;
  /** Reads a script that runs in a subshell. */
  readonly readScript: (script: ParsedScript, state: Rebuilding) => string;
}

/** What happens in a subshell to the working directory and to variables stays there. */
export function apart(state: Rebuilding, read: () => string): string {
  const { place, variables, lost } = state;
  const text = read();
  state.place = place;
  state.variables = variables;
  state.lost = lost;
  return text;
}
