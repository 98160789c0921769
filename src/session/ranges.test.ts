import { expect, test } from "bun:test";
import fc from "fast-check";
import { selectRanges, toRanges } from "./ranges.ts";

const placed = (seq: number) => ({ seq, message: { kind: "request" as const, parts: [] } });

test("known numbers that are neighbours become one range, even with unknown numbers between them", () => {
  expect(toRanges([5, 8, 12], [5, 8, 12])).toEqual([[5, 12]]);
  expect(toRanges([5, 12], [5, 8, 12])).toEqual([
    [5, 5],
    [12, 12],
  ]);
  expect(toRanges([20, 5, 8], [5, 8, 20])).toEqual([
    [20, 20],
    [5, 8],
  ]);
});

test("any selection in any order comes back from its ranges", () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(numbers, fc.infiniteStream(fc.boolean()), (known, keep) => {
      const wanted = known.filter(() => keep.next().value);
      const back = selectRanges(known.map(placed), toRanges(wanted, known));
      expect(back.map(({ seq }) => seq)).toEqual(wanted);
    }),
  );
});

test("a reader that lacks some of the records still gets the others", () => {
  const ranges = toRanges([1, 2, 3, 4, 9], [1, 2, 3, 4, 9]);
  expect(selectRanges([1, 3, 9].map(placed), ranges).map(({ seq }) => seq)).toEqual([1, 3, 9]);
});
