// A call or an answer without an id gets one, together with its partner: finished work must not be lost for want of
// a name.
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

/** A call without an answer is removed: it needs no id. */
function lacksId({ part, answer }: PlacedCall): boolean {
  return answer !== null && !(hasId(part.toolCallId) && hasId(answer.part.toolCallId));
}
