// The bytes that lead from one picture to the next, checked in a terminal emulator.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { VirtualTerminal } from "../../../test/support/virtual-terminal.ts";
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { moveRows, type ShownLines, updateLines } from "./line-update.ts";

const WIDTH = 12;
const ROWS = 8;

describe("only what changed is written", () => {
  const bytes = (before: string[], after: string[], cursorRow = before.length - 1) =>
    updateLines({ lines: before, cursorRow }, after, WIDTH).bytes;
  test("nothing", () => expect(bytes(["a", "b"], ["a", "b"])).toBe(""));
  test("one line in the middle", () => {
    const written = bytes(["a", "b", "c"], ["a", "X", "c"]);
    expect(written).toBe("\u001b[1A\rX\u001b[K");
  });
  test("a line at the end", () => expect(bytes(["a"], ["a", "b"])).toBe("\r\nb\u001b[K"));
  test("nothing is erased behind a line that fills the width", () => {
    expect(bytes(["a"], ["x".repeat(WIDTH)])).toBe(`\r${"x".repeat(WIDTH)}`);
  });
});

test("whatever changes, the emulator shows the new lines, and above them the finished ones in order", async () => {
  const line = fc.constantFrom("", "a", "bb", "wide 漢字", "full width!!", "\u001b[31mred\u001b[39m", "😀 x");
  const frame = fc.record({
    finished: fc.array(line, { maxLength: 5 }),
    live: fc.array(line, { minLength: 1, maxLength: ROWS }),
    cursor: fc.nat(ROWS),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 12 }), async (frames) => {
      const terminal = new VirtualTerminal(WIDTH, ROWS);
      let shown: ShownLines = { lines: [], cursorRow: 0 };
      const finished: string[] = [];
      for (const { finished: fresh, live, cursor } of frames) {
        const update = updateLines(shown, [...fresh, ...live], WIDTH);
        const cursorRow = Math.min(cursor, live.length - 1);
        terminal.write(update.bytes + moveRows(fresh.length + cursorRow - update.cursorRow));
        shown = { lines: live, cursorRow };
        finished.push(...fresh);
      }
      const lines = await terminal.everything();
      const expected = [...finished, ...shown.lines].map(visible);
      expect(lines.slice(0, expected.length)).toEqual(expected);
      expect(lines.slice(expected.length).join("")).toBe("");
    }),
    { numRuns: 150 },
  );
});

function visible(line: string): string {
  return stripTerminalControls(line).trimEnd();
}
