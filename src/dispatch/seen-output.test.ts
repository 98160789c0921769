import { expect, test } from "bun:test";
import { createSeenOutput } from "./seen-output.ts";

function seen(...texts: readonly string[]): string {
  const output = createSeenOutput();
  for (const text of texts) output.push(text);
  return output.text();
}

test("what fits is kept as it was", () => {
  expect(seen()).toBe("");
  expect(seen("one\n", "two\n")).toBe("one\ntwo\n");
  const long = "x".repeat(20_000);
  expect(seen(long)).toBe(long);
});

test("of a flood the beginning and the end are kept, and what is left out is counted", () => {
  const flood = seen("begin ", ...Array.from({ length: 100 }, () => "y".repeat(1_000)), " end");
  expect(flood).toStartWith("begin y");
  expect(flood).toEndWith("y end");
  expect(flood).toContain(`[... ${100_000 + 10 - 30_000} characters left out ...]`);
  expect(flood.length).toBeLessThan(30_100);
});

test("no half of a surrogate pair is left", () => {
  expect(seen("a", "😀".repeat(20_000)).isWellFormed()).toBe(true);
});
