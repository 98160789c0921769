// Turns calls and answers into pairs: every call has one answer, every answer has its call, every pair a unique id.
// All rules use the same pairing, so that none can undo another's decision.
import type { Message } from "../domain/message.ts";
import { applyEdits, type CallRule } from "./call-rule.ts";
import { danglingCalls } from "./dangling-calls.ts";
import { duplicateIds } from "./duplicate-ids.ts";
import { missingIds } from "./missing-ids.ts";
import { newIds } from "./new-id.ts";
import { orphanReturns } from "./orphan-returns.ts";
import { pairDoubtful } from "./pairing.ts";
import type { Repaired } from "./rule.ts";

const RULES: readonly CallRule[] = [missingIds, danglingCalls, orphanReturns, duplicateIds];

export function settleCalls(messages: readonly Message[]): Repaired {
  const pairing = pairDoubtful(messages);
  const newId = newIds(messages);
  const edits = RULES.flatMap((rule) => rule(pairing, newId));
  return {
    messages: applyEdits(messages, edits),
    repairs: edits.flatMap(({ repair }) => (repair === undefined ? [] : [repair])),
  };
}
