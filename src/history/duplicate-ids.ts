// An id that was used before is renamed, together with its answer.
import type { Message } from "../domain/message.ts";
import type { Repair } from "../domain/repair.ts";
import { idSource } from "./id-source.ts";
import { pairCalls } from "./pairing.ts";
import { addEdit, applyEdits, type Edits, type Repaired } from "./rule.ts";

const SECOND = 2;

export function duplicateIds(messages: readonly Message[]): Repaired {
  const paired = pairCalls(messages);
  const newId = idSource(paired);
  const seen = new Set<string>();
  const edits: Edits = new Map();
  const repairs: Repair[] = [];
  for (const { at, index, part, answer } of paired.calls) {
    if (!seen.has(part.toolCallId)) {
      seen.add(part.toolCallId);
      continue;
    }
    const id = newId(part.toolCallId, SECOND);
    addEdit(edits, at, index, id);
    if (answer !== null) addEdit(edits, answer.at, answer.index, id);
    const why = `The id ${part.toolCallId} was used by more than one call; this one is now ${id}.`;
    repairs.push({ kind: "duplicate-id", at, kept: "all", why });
  }
  return { messages: applyEdits(messages, edits), repairs };
}
