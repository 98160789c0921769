// The diff that an edit returns is correct: applied to the old text, it yields the new text.
import { expect, spyOn, test } from "bun:test";
import { applyPatch } from "diff";
import fc from "fast-check";
import { createTimeSlices } from "../base/time-slices.ts";
import { diffReport, editDiff } from "./edit-diff.ts";
import { applySplices, type Splice } from "./edit-plan.ts";

const line = fc.constantFrom("a", "b", "c", "", "  d").map((text) => `${text}\n`);
const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.join(""));
const cuts = fc.array(fc.tuple(fc.nat(80), fc.nat(6), fc.constantFrom("", "x", "y\n", "\n\nz")), {
  minLength: 1,
  maxLength: 4,
});

function toSplices(body: Buffer, wanted: readonly (readonly [number, number, string])[]): Splice[] {
  const splices: Splice[] = [];
  for (const [at, length, insert] of wanted.toSorted((a, b) => a[0] - b[0])) {
    const start = Math.max(splices.at(-1)?.end ?? 0, Math.min(at, body.length));
    splices.push({ start, end: Math.min(start + length, body.length), text: Buffer.from(insert) });
  }
  return splices;
}

test("applied to the old text, the diff yields the new text", async () => {
  const property = fc.asyncProperty(text, fc.boolean(), cuts, async (lines, isOpenEnded, wanted) => {
    const body = Buffer.from(isOpenEnded ? lines.replace(/\n$/, "") : lines);
    const splices = toSplices(body, wanted);
    const slices = createTimeSlices(new AbortController().signal);
    const after = Buffer.concat(await applySplices(body, splices, slices)).toString();
    fc.pre(after !== body.toString());
    const diff = diffReport("file", await editDiff(body, splices, slices));
    expect(applyPatch(body.toString(), diff)).toBe(after);
  });
  await fc.assert(property, { numRuns: 500 });
});

test("a busy machine does not change the diff of a small edit", async () => {
  const splices = [{ start: 2, end: 3, text: Buffer.from("x\ny") }];
  let now = Date.now();
  const clock = spyOn(Date, "now").mockImplementation(() => {
    now += 1_000;
    return now;
  });
  try {
    const diff = await editDiff(Buffer.from("a\nb\nc\n"), splices, createTimeSlices());
    expect(diff).toBe("@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n c");
  } finally {
    clock.mockRestore();
  }
});

test("a comparison that takes too long is given up, and only the numbers of lines are told", async () => {
  const lines = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word} ${at}\n`).join("");
  const body = Buffer.from(lines("old"));
  const splices = [{ start: 0, end: body.length, text: Buffer.from(lines("new")) }];
  expect(await editDiff(body, splices, createTimeSlices())).toBe(
    "@@ -1,20000 +1,20000 @@\n[20000 lines became 20000: too different to compare line by line]",
  );
});
