// A call or an answer without an id gets one, together with its partner: finished work must not be lost for want of
// a name.
import type { Message } from "../domain/message.ts";
import type { Repair } from "../domain/repair.ts";
import { idSource } from "./id-source.ts";
import { hasId, pairCalls } from "./pairing.ts";
import { addEdit, applyEdits, type Edits, type Repaired } from "./rule.ts";

const FIRST_NUMBER = 1;

export function missingIds(messages: readonly Message[]): Repaired {
  const paired = pairCalls(messages);
  const newId = idSource(paired);
  const edits: Edits = new Map();
  const repairs: Repair[] = [];
  for (const { at, index, part, answer } of paired.calls) {
    // A call without an answer is about to be removed.
    if (answer === null || (hasId(part.toolCallId) && hasId(answer.part.toolCallId))) continue;
    const id = hasId(part.toolCallId) ? part.toolCallId : newId("call", FIRST_NUMBER);
    addEdit(edits, at, index, id);
    addEdit(edits, answer.at, answer.index, id);
    const why = `A call of ${part.toolName} or its return had no id; both now have the id ${id}.`;
    repairs.push({ kind: "missing-id", at, kept: "all", why });
  }
  return { messages: applyEdits(messages, edits), repairs };
}
