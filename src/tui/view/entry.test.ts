// An answer that is still being written: however long its last line is, little of it is drawn.
import { expect, test } from "bun:test";
import { DEFAULT_LABELS } from "../input/app-keys.ts";
import { createTheme } from "../theme/theme.ts";
import { entryView } from "./entry.ts";

const canvas = {
  width: 80,
  theme: createTheme("", "none"),
  now: 0,
  unfolded: false,
  highlighter: null,
  wordDiff: null,
  keys: DEFAULT_LABELS,
};
const text = Array.from({ length: 40_000 }, (_, index) => `word${index}`).join(" ");

test.each([
  { type: "prose", text, gap: false } as const,
  { type: "code", text, gap: false, language: "", opens: false, closes: false, indent: 0 } as const,
])("the end of an open block is drawn, and all of a closed one: $type", (block) => {
  const open = entryView({ kind: "answer", block, open: true, gap: false }, canvas);
  const closed = entryView({ kind: "answer", block, open: false, gap: false }, canvas);
  expect(open.length).toBeLessThan(200);
  expect(open.join("\n")).toContain("word39999");
  expect(closed.join("\n")).toContain("word0 ");
});
