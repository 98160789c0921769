// Ids for calls that have none of their own: numbered, so that the same history always gets the same ids.
import type { ToolCallId } from "../domain/ids.ts";
import type { pairCalls } from "./pairing.ts";

/** Gives ids `stem_number`, counting from `first`, that no call and no answer has. */
export function idSource({ calls, answers }: ReturnType<typeof pairCalls>) {
  const taken = new Set([...calls, ...answers].map(({ part }) => part.toolCallId));
  const next = new Map<string, number>();
  return (stem: string, first: number): ToolCallId => {
    let number = next.get(stem) ?? first;
    while (taken.has(`${stem}_${number}`)) number++;
    next.set(stem, number + 1);
    taken.add(`${stem}_${number}`);
    return `${stem}_${number}`;
  };
}
