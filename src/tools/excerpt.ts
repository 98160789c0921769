// Shows lines of a file with their numbers in messages to the model.
import type { TimeSlices } from "../base/time-slices.ts";

const LONGEST_LINE = 200;
const BLOCK_BYTES = 1024 * 1024;

/** The number, from 1, of the line that contains this byte. `known` is an earlier result for a byte before it. */
export async function lineNumberAt(
  body: Buffer,
  at: number,
  slices: TimeSlices,
  known: { readonly at: number; readonly line: number } = { at: 0, line: 1 },
): Promise<number> {
  let line = known.line;
  for (let from = known.at; from < at; from += BLOCK_BYTES) {
    const block = body.subarray(from, Math.min(at, from + BLOCK_BYTES));
    for (let newline = block.indexOf(10); newline !== -1; newline = block.indexOf(10, newline + 1)) line++;
    if (slices.due()) await slices.rest();
  }
  return line;
}

/** `count` numbered lines; the first begins at byte `start`. */
export function numberedLines(body: Buffer, start: number, firstNumber: number, count: number): string {
  const shown: string[] = [];
  let from = start;
  for (let index = 0; index < count && from < body.length; index++) {
    const end = lineEndOf(body, from);
    shown.push(`${firstNumber + index}\t${readable(body.subarray(from, end))}`);
    from = end + 1;
  }
  return shown.join("\n");
}

export function lineStartOf(body: Buffer, at: number): number {
  return at === 0 ? 0 : body.lastIndexOf(10, at - 1) + 1;
}

/** The position of the line's newline, or the end of the file. */
export function lineEndOf(body: Buffer, at: number): number {
  const newline = body.indexOf(10, at);
  return newline === -1 ? body.length : newline;
}

function readable(bytes: Buffer): string {
  const text = bytes
    .subarray(0, LONGEST_LINE * 4)
    .toString("utf8")
    .replace(/\r$/, "");
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}...` : text;
}
