// Counting characters agrees with the exact width.
import { expect, test } from "bun:test";
import { CURSOR_MARKER, visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { columns } from "./columns.ts";

test("any text, coloured or not, has its exact width", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "─│╭╰",
      "✓✗●○❯↳⏎",
      "⠋…·",
      "\u001b[31m",
      "\u001b[38;2;1;2;3m",
      "\u001b[0m",
      CURSOR_MARKER,
      "漢字",
      "👩‍👩‍👧",
      "e\u0301",
      "à\u0300",
      "❯\ufe0f",
      "↓\ufe0f",
      "\u00ad",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join("");
      expect(columns(text)).toBe(visibleWidth(text));
    }),
    { numRuns: 500 },
  );
});
