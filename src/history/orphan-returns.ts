// Removes answers to calls that don't exist or are already answered.
import type { Repair } from "../domain/repair.ts";
import type { PartEdit } from "./call-rule.ts";
import { hasId, type Pairing, type PlacedAnswer } from "./pairing.ts";

export function orphanReturns({ calls, answers }: Pairing): PartEdit[] {
  const orphans = answers.filter(({ call }) => call === null);
  if (orphans.length === 0) return [];
  const called = new Set(calls.map(({ part }) => part.toolCallId).filter(hasId));
  return orphans.map((orphan) => ({
    at: orphan.at,
    index: orphan.index,
    id: null,
    repair: called.has(orphan.part.toolCallId) ? duplicate(orphan) : withoutCall(orphan),
  }));
}

function duplicate({ at, part: { toolCallId } }: PlacedAnswer): Repair {
  const why = `The call ${toolCallId} was answered more than once; the first finished answer is kept.`;
  return { kind: "duplicate-return", at, kept: "some", why };
}

function withoutCall({ at, part: { toolName } }: PlacedAnswer): Repair {
  const why = `A return of ${toolName} belongs to no call and is removed.`;
  return { kind: "orphan-return", at, kept: "nothing", why };
}
