// An id that was used before is renamed, together with its answer.
import type { ToolCallId } from "../domain/ids.ts";
import type { Repair } from "../domain/repair.ts";
import type { PartEdit } from "./call-rule.ts";
import type { NewId } from "./new-id.ts";
import { hasId, type Pairing, type PlacedCall } from "./pairing.ts";

export function duplicateIds({ calls }: Pairing, newId: NewId): PartEdit[] {
  return calls.filter(repeatsId()).flatMap(({ at, index, part, answer }): PartEdit[] => {
    const id = newId(part.toolCallId, 2);
    const why = `The id ${part.toolCallId} was used by more than one call; this one is now ${id}.`;
    const repair: Repair = { kind: "duplicate-id", at, kept: "all", why };
    return [
      { at, index, id, repair },
      ...(answer === null ? [] : [{ at: answer.at, index: answer.index, id }]),
    ];
  });
}

/** Calls without an answer are removed, and those without an id get their own: neither counts. */
function repeatsId(): (call: PlacedCall) => boolean {
  const seen = new Set<ToolCallId>();
  return ({ part: { toolCallId }, answer }) => {
    if (answer === null || !hasId(toolCallId)) return false;
    if (seen.has(toolCallId)) return true;
    seen.add(toolCallId);
    return false;
  };
}
