// A history as ranges of record numbers: a rewrite that changes one message of ten thousand costs a few bytes, and a
// reader that lacks some of the records still gets all the others.
import type { Sequence, SequenceRange } from "../domain/journal-entry.ts";
import type { Message } from "../domain/message.ts";

/** A message and the number of its record; one that was `made` by a bridge has no record. */
export interface PlacedMessage {
  readonly seq: Sequence;
  readonly message: Message;
  readonly made?: boolean;
}

/** `wanted` in its order, as ranges over all `known` numbers. */
export function toRanges(wanted: readonly Sequence[], known: readonly Sequence[]): SequenceRange[] {
  const sorted = known.toSorted((a, b) => a - b);
  const rank = new Map(sorted.map((seq, at) => [seq, at]));
  const ranges: [Sequence, Sequence][] = [];
  let before = -2;
  for (const seq of wanted) {
    const at = rank.get(seq) ?? -2;
    const open = ranges.at(-1);
    if (open !== undefined && at === before + 1 && at > 0) open[1] = seq;
    else ranges.push([seq, seq]);
    before = at;
  }
  return ranges;
}

export function selectRanges(
  known: readonly PlacedMessage[],
  ranges: readonly SequenceRange[],
): PlacedMessage[] {
  const sorted = known.toSorted((a, b) => a.seq - b.seq);
  const selected: PlacedMessage[] = [];
  for (const [from, to] of ranges) {
    for (let at = firstAtLeast(sorted, from); ; at++) {
      const placed = sorted[at];
      if (placed === undefined || placed.seq > to) break;
      selected.push(placed);
    }
  }
  return selected;
}

function firstAtLeast(sorted: readonly PlacedMessage[], seq: Sequence): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.seq ?? seq) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
