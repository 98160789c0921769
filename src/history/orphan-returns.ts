// An answer to a call that doesn't exist, or that already has its answer, is removed.
import type { Message } from "../domain/message.ts";
import type { Repair } from "../domain/repair.ts";
import { pairCalls } from "./pairing.ts";
import { addEdit, applyEdits, type Edits, type Repaired } from "./rule.ts";

export function orphanReturns(messages: readonly Message[]): Repaired {
  const { calls, answers } = pairCalls(messages);
  const called = new Set(calls.map(({ part }) => part.toolCallId));
  const edits: Edits = new Map();
  const repairs: Repair[] = [];
  for (const { at, index, part, call } of answers) {
    if (call !== null) continue;
    addEdit(edits, at, index, null);
    repairs.push(
      called.has(part.toolCallId)
        ? {
            kind: "duplicate-return",
            at,
            kept: "some",
            why: `The call ${part.toolCallId} was answered more than once; the first finished answer is kept.`,
          }
        : {
            kind: "orphan-return",
            at,
            kept: "nothing",
            why: `A return of ${part.toolName} answers the call ${part.toolCallId}, which isn't there; it is removed.`,
          },
    );
  }
  return { messages: applyEdits(messages, edits), repairs };
}
