// Renames a call whose id was used before, together with its answer.
import type { ToolCallId } from "../domain/ids.ts";
import { type PartEdit, renamePair } from "./call-rule.ts";
import type { NewId } from "./new-id.ts";
import { hasId, type Pairing, type PlacedCall } from "./pairing.ts";

export function duplicateIds({ calls }: Pairing, newId: NewId): PartEdit[] {
  return calls.filter(repeatsId()).flatMap((call) => {
    const { toolCallId } = call.part;
    const id = newId(toolCallId, 2);
    const why = `The id ${toolCallId} was used by more than one call; this one is now ${id}.`;
    return renamePair(call, id, { kind: "duplicate-id", at: call.at, kept: "all", why });
  });
}

/** Skips calls without an answer, which are removed, and calls without an id, which get a new one. */
function repeatsId(): (call: PlacedCall) => boolean {
  const seen = new Set<ToolCallId>();
  return ({ part: { toolCallId }, answer }) => {
    if (answer === null || !hasId(toolCallId)) return false;
    if (seen.has(toolCallId)) return true;
    seen.add(toolCallId);
    return false;
  };
}
