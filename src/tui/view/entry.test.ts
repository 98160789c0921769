// An answer that is still being written: however long its last line is, little of it is drawn. The figures of a turn,
// and hints that name keys.
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

test.each([
  [{}, "$0.02"],
  [{ estimated: true }, "about $0.02"],
  [{ unpriced: true }, "at least $0.02"],
])("the cost of a turn is marked as that of the conversation: %p", (marks, shown) => {
  const usage = { promptTokens: 10, completionTokens: 0, cachedTokens: 0, cost: 0.02, ...marks };
  const [line] = entryView(
    { kind: "turn-end", changedFiles: 0, usage, durationMs: 2_000, generatingMs: 0, gap: false },
    PLAIN_CANVAS,
  );
  expect(line).toEndWith(` · ${shown}`);
});

test("the key that shows a summary is the one that is bound to it", () => {
  const entry = {
    kind: "summed-up",
    summary: "Short.",
    tokens: { before: 9, after: 1 },
    gap: false,
  } as const;
  const view = (unfold: readonly string[]) =>
    entryView(entry, { ...PLAIN_CANVAS, keys: { ...PLAIN_CANVAS.keys, unfold } }).join("");
  expect(view(["F3"])).toEndWith("— (F3 shows the summary)");
  expect(view([])).toEndWith("—");
});
