// A call or an answer without an id gets one, together with its partner: finished work must not be lost for want of
// a name.
import type { Repair } from "../domain/repair.ts";
import type { PartEdit } from "./call-rule.ts";
import type { NewId } from "./new-id.ts";
import { hasId, type Pairing, type PlacedCall } from "./pairing.ts";

export function missingIds({ calls }: Pairing, newId: NewId): PartEdit[] {
  return calls.filter(lacksId).flatMap(({ at, index, part, answer }): PartEdit[] => {
    const id = hasId(part.toolCallId) ? part.toolCallId : newId("call", 1);
    const why = `A call of ${part.toolName} or its return had no id; both now have the id ${id}.`;
    const repair: Repair = { kind: "missing-id", at, kept: "all", why };
    return [
      { at, index, id, repair },
      ...(answer === null ? [] : [{ at: answer.at, index: answer.index, id }]),
    ];
  });
}

/** A call without an answer is removed: it needs no id. */
function lacksId({ part, answer }: PlacedCall): boolean {
  return answer !== null && !(hasId(part.toolCallId) && hasId(answer.part.toolCallId));
}
