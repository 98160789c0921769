// A file's lines are the same no matter how its bytes are split into chunks.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type ByteSource, type LineRequest, readFileLines } from "./file-lines.ts";

const pieces = fc.constantFrom("a", "word ", "é", "🐟", "\n", "\n", "\r\n", "\r", "long".repeat(9), "");
const broken = fc.constantFrom([0xff], [0xc3], [0xf0, 0x9f], [0x80]);
const content = fc
  .array(fc.oneof({ weight: 9, arbitrary: pieces }, broken), { maxLength: 40 })
  .map((all) => Buffer.concat(all.map((piece) => Buffer.from(piece as string))));
const limits = fc.record({
  skip: fc.nat(4),
  limit: fc.nat(6),
  maxLineCharacters: fc.integer({ min: 1, max: 20 }),
  maxCharacters: fc.integer({ min: 1, max: 80 }),
  toTheEnd: fc.constant(true),
});

test("lines don't depend on how the bytes arrive: at once, in chunks, or one at a time", async () => {
  await fc.assert(
    fc.asyncProperty(content, limits, fc.integer({ min: 1, max: 9 }), async (bytes, wanted, size) => {
      const request = { encoding: "utf-8" as const, size: bytes.length, startByte: 0, ...wanted };
      const whole = await read(request, bytes, bytes.length);
      expect(await read(request, bytes, size)).toEqual(whole);
      expect(await read(request, bytes, 1)).toEqual(whole);
      expect(whole.counted).toBe(linesIn(bytes));
    }),
    { numRuns: 500 },
  );
});

test("lines are those of the decoded text", async () => {
  await fc.assert(
    fc.asyncProperty(content, async (bytes) => {
      const everything = { skip: 0, limit: 99, maxLineCharacters: 999, maxCharacters: 9_999, toTheEnd: true };
      const { lines, invalidUtf8 } = await read(
        { encoding: "utf-8", size: bytes.length, startByte: 0, ...everything },
        bytes,
        1,
      );
      const texts = bytes.toString().split("\n");
      if (texts.at(-1) === "") texts.pop();
      expect(lines.map(({ text }) => text)).toEqual(texts.map((text) => text.replace(/\r$/, "")));
      expect(invalidUtf8).toBe(!Buffer.from(bytes.toString()).equals(bytes));
    }),
    { numRuns: 500 },
  );
});

/** The file arrives `size` bytes at a time. */
function read(request: LineRequest, all: Buffer, size: number) {
  const source: ByteSource = {
    read: async (into, offset, _length, position) => ({
      bytesRead: all.copy(into, offset, position, position + size),
    }),
  };
  return readFileLines(source, request, new AbortController().signal);
}

function linesIn(bytes: Buffer): number {
  const newlines = bytes.filter((byte) => byte === 10).length;
  return bytes.length > 0 && bytes.at(-1) !== 10 ? newlines + 1 : newlines;
}
