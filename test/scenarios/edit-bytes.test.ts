// Whatever surrounds an edit, byte for byte, is the same after it.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFileTools } from "../support/file-tools.ts";

const RUNS = process.env["TUNACODE_LONG"] === "1" ? 5_000 : 150;
const LONG_MS = 300_000;

/** Any bytes but NUL (that would be a binary file), and no start that looks like UTF-16. */
const surroundings = fc
  .uint8Array({ min: 1, max: 255, maxLength: 300 })
  .map((bytes) => Buffer.from(bytes))
  .filter((bytes) => (bytes[0] ?? 0) < 0xfe);
/** Whole lines around, ended either way. */
const lines = fc
  .array(fc.tuple(surroundings, fc.constantFrom("\n", "\r\n")), { maxLength: 5 })
  .map((all) => Buffer.concat(all.flatMap(([bytes, end]) => [withoutNewlines(bytes), Buffer.from(end)])));
const newText = fc.string({ unit: "grapheme", maxLength: 60 });

test(
  "an exact edit changes nothing but the text it replaces",
  async () => {
    await using project = await createFileTools();
    const property = fc.asyncProperty(surroundings, newText, surroundings, async (before, text, after) => {
      fc.pre(!text.includes("<old>") && !text.includes("\r"));
      await project.put("file", Buffer.concat([Buffer.from("#"), before, Buffer.from("<old>"), after]));
      await project.read({ filepath: "file" });
      const outcome = await project.update({ filepath: "file", old_text: "<old>", new_text: text });
      expect(outcome.failed).toBe(false);
      const bytes = await project.bytes("file");
      expect(bytes.subarray(1, before.length + 1).equals(before)).toBe(true);
      expect(bytes.subarray(bytes.length - after.length).equals(after)).toBe(true);
      const written = bytes.subarray(before.length + 1, bytes.length - after.length).toString("utf8");
      expect(written.replaceAll("\r\n", "\n")).toBe(text);
    });
    await fc.assert(property, { numRuns: RUNS });
  },
  LONG_MS,
);

test(
  "an edit found with other spaces and indentation changes only its own lines",
  async () => {
    await using project = await createFileTools();
    const indents = fc.constantFrom("", "  ", "    ", "\t", "\t\t");
    const ends = fc.constantFrom("", " ", "\t ");
    const property = fc.asyncProperty(
      lines,
      indents,
      indents,
      ends,
      lines,
      async (before, there, asked, end, after) => {
        const block = `${there}<first>${end}\n${there}<second>\n`;
        await project.put("file", Buffer.concat([before, Buffer.from(block), after]));
        await project.read({ filepath: "file" });
        const outcome = await project.update({
          filepath: "file",
          old_text: `${asked}<first>\n${asked}<second>\n`,
          new_text: `${asked}<first>\n${asked}<changed>\n`,
        });
        expect(outcome.text).toStartWith("Updated");
        const kept = Buffer.from(`${there}<first>${end}\n${there}<changed>\n`);
        expect((await project.bytes("file")).equals(Buffer.concat([before, kept, after]))).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  },
  LONG_MS,
);

function withoutNewlines(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte) => byte !== 10 && byte !== 13));
}
