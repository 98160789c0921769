// Gives an id to a call or an answer without one, and to its partner, so that no finished work is lost.
import { type PartEdit, renamePair } from "./call-rule.ts";
import type { NewId } from "./new-id.ts";
import { hasId, type Pairing, type PlacedCall } from "./pairing.ts";

export function missingIds({ calls }: Pairing, newId: NewId): PartEdit[] {
  return calls.filter(lacksId).flatMap((call) => {
    const { toolCallId, toolName } = call.part;
    const id = hasId(toolCallId) ? toolCallId : newId("call", 1);
    const why = `A call of ${toolName} or its return had no id; both now have the id ${id}.`;
    return renamePair(call, id, { kind: "missing-id", at: call.at, kept: "all", why });
  });
}

/** False for a call without an answer: it is removed and needs no id. */
function lacksId({ part, answer }: PlacedCall): boolean {
  return answer !== null && !(hasId(part.toolCallId) && hasId(answer.part.toolCallId));
}
