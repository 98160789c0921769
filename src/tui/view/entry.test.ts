// An answer that is still being written: however long its last line is, little of it is drawn.
import { expect, test } from "bun:test";
import { PLAIN_CANVAS } from "../../../test/support/plain-canvas.ts";
import { entryView } from "./entry.ts";

const text = Array.from({ length: 40_000 }, (_, index) => `word${index}`).join(" ");

test.each([
  { type: "prose", text, gap: false } as const,
  { type: "code", text, gap: false, language: "", opens: false, closes: false, indent: 0 } as const,
])("the end of an open block is drawn, and all of a closed one: $type", (block) => {
  const open = entryView({ kind: "answer", block, open: true, gap: false }, PLAIN_CANVAS);
  const closed = entryView({ kind: "answer", block, open: false, gap: false }, PLAIN_CANVAS);
  expect(open.length).toBeLessThan(200);
  expect(open.join("\n")).toContain("word39999");
  expect(closed.join("\n")).toContain("word0 ");
});
