// `tunacode completions` prints a shell's completions, generated from the tables of commands and flags.
import { TunacodeError } from "../domain/error.ts";
import { bashCompletions } from "./completions/bash.ts";
import { fishCompletions } from "./completions/fish.ts";
import { zshCompletions } from "./completions/zsh.ts";
import type { Console } from "./console.ts";
import { EXIT_DONE } from "./exit-code.ts";
import type { Invocation } from "./parse-flags.ts";

const SHELLS: ReadonlyMap<string, () => string> = new Map([
  ["bash", bashCompletions],
  ["zsh", zshCompletions],
  ["fish", fishCompletions],
]);

export async function runCompletions({ operands }: Invocation, console: Console): Promise<number> {
  const [shell = "", ...others] = operands;
  const script = SHELLS.get(shell);
  if (script === undefined || others.length > 0) {
    const names = [...SHELLS.keys()].join(", ");
    throw new TunacodeError("usage", `Name one shell: ${names}.\nTry: tunacode help completions`);
  }
  await console.print(script());
  return EXIT_DONE;
}
