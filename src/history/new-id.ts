// New ids for calls. They are numbered and not random, so that the same history always gets the same ids.
import type { ToolCallId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";

/** Returns `stem_number`, counting from `first` and skipping ids that the history already contains. */
export type NewId = (stem: string, first: number) => ToolCallId;

export function newIds(messages: readonly Message[]): NewId {
  let taken: Set<ToolCallId> | undefined;
  const next = new Map<string, number>();
  return (stem, first) => {
    taken ??= idsIn(messages);
    let number = next.get(stem) ?? first;
    while (taken.has(`${stem}_${number}`)) number++;
    next.set(stem, number + 1);
    taken.add(`${stem}_${number}`);
    return `${stem}_${number}`;
  };
}

function idsIn(messages: readonly Message[]): Set<ToolCallId> {
  const ids = new Set<ToolCallId>();
  for (const { parts } of messages)
    for (const part of parts)
      if ("toolCallId" in part && part.toolCallId !== undefined) ids.add(part.toolCallId);
  return ids;
}
