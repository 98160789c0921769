// A call that nothing answers is removed, with the thinking that only led to it: vendors refuse a response that
// ends in thinking.
import type { Message } from "../domain/message.ts";
import type { Repair } from "../domain/repair.ts";
import { pairCalls } from "./pairing.ts";
import { addEdit, applyEdits, type Edits, type Repaired } from "./rule.ts";

export function danglingCalls(messages: readonly Message[]): Repaired {
  const edits: Edits = new Map();
  const repairs: Repair[] = [];
  for (const { at, index, part, answer } of pairCalls(messages).calls) {
    if (answer !== null) continue;
    addEdit(edits, at, index, null);
    const why = `The call ${part.toolCallId} of ${part.toolName} was never answered and is removed.`;
    repairs.push({ kind: "dangling-call", at, kept: "nothing", why });
  }
  for (const at of edits.keys()) dropThinking(messages[at], at, edits);
  return { messages: applyEdits(messages, edits), repairs };
}

/** Thinking before a dropped call that nothing kept comes after. */
function dropThinking(message: Message | undefined, at: number, edits: Edits): void {
  const parts = message?.parts ?? [];
  let ledToCall = false;
  for (let index = parts.length - 1; index >= 0; index--) {
    if (edits.get(at)?.has(index)) ledToCall = true;
    else if (ledToCall && parts[index]?.kind === "thinking") addEdit(edits, at, index, null);
    else return;
  }
}
