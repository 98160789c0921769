// The conversations that were left by going back: those that hold prompts which the current one does not.
import { type ChangeLedger, lineTo } from "../session/change-ledger.ts";
import { titleOf } from "../session/title.ts";
import type { Branch } from "./undo.ts";

/** Newest first. One that is only the beginning of another is not listed: it is on the way to that one. */
export function branchesOf({ tip, restores }: ChangeLedger): readonly Branch[] {
  const current = new Set(lineTo(tip));
  const left = restores
    .filter(({ facts, before }) => facts.backTo !== null && before !== null)
    .toReversed()
    .map((restore) => ({ ...restore, line: new Set(lineTo(restore.left)) }));
  return left.flatMap(({ facts, line, left: end }, at) => {
    const first = [...line].find((turn) => !current.has(turn));
    const isPartOf = (other: (typeof left)[number], place: number) =>
      end !== null && other.line.has(end) && (other.left !== end || place < at);
    if (first === undefined || left.some(isPartOf)) return [];
    return [{ id: facts.restoreId, leftAt: facts.at, title: titleOf(first.prompt), prompts: line.size }];
  });
}
