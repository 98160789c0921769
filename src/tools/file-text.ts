// A file's bytes as text that can be edited without touching the rest. Edits work on bytes, so invalid UTF-8 elsewhere
// in the file survives; decoding and encoding the file would lose it.
import { ToolError } from "../domain/error.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

export interface FileText {
  readonly encoding: Encoding;
  readonly bom: Buffer;
  /** Without the BOM, as UTF-8. Invalid bytes stay as they are. */
  readonly body: Buffer;
}

/** Files up to this size are hashed, counted and searched loosely; larger ones are only searched for exact text. */
export const WHOLE_FILE_BYTES = 4 * 1024 * 1024;

const BINARY_PROBE_BYTES = 8 * 1024;
const BOMS: readonly (readonly [Encoding, Buffer])[] = [
  ["utf-8", Buffer.from([0xef, 0xbb, 0xbf])],
  ["utf-16le", Buffer.from([0xff, 0xfe])],
  ["utf-16be", Buffer.from([0xfe, 0xff])],
];
const NO_BOM = Buffer.alloc(0);

export function readFileText(bytes: Buffer, shown: string): FileText {
  const { encoding, bom } = detectEncoding(bytes);
  const rest = bytes.subarray(bom.length);
  if (encoding === "utf-8") return { encoding, bom, body: rest };
  if (bytes.length > WHOLE_FILE_BYTES)
    throw new ToolError(`${shown} is UTF-16 and too large to edit here. Use bash.`);
  try {
    return {
      encoding,
      bom,
      body: Buffer.from(new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(rest)),
    };
  } catch (cause) {
    // Invalid UTF-16 could not be written back unchanged, so it isn't edited.
    throw new ToolError(`${shown} isn't valid UTF-16. Edit it with bash.`, { cause });
  }
}

/** The file's new bytes, in pieces, so that a large file isn't copied. */
export function toFileBytes(text: FileText, body: readonly Buffer[]): Buffer[] {
  if (text.encoding === "utf-8") return [text.bom, ...body].filter((piece) => piece.length > 0);
  const units = Buffer.from(Buffer.concat(body).toString("utf8"), "utf16le");
  return [text.bom, text.encoding === "utf-16be" ? units.swap16() : units];
}

export function detectEncoding(head: Buffer): { readonly encoding: Encoding; readonly bom: Buffer } {
  for (const [encoding, bom] of BOMS) if (head.subarray(0, bom.length).equals(bom)) return { encoding, bom };
  return { encoding: "utf-8", bom: NO_BOM };
}

/** True if there is a NUL near the beginning, which text in a byte encoding never has. */
export function isBinary(head: Buffer): boolean {
  return detectEncoding(head).encoding === "utf-8" && head.subarray(0, BINARY_PROBE_BYTES).includes(0);
}

export type LineEnd = "\n" | "\r\n";

/** How most lines of this text end, judged by its first lines; null if it has no line end. */
export function mainLineEnd(body: Buffer): LineEnd | null {
  let lines = 0;
  let carriageReturns = 0;
  for (let at = body.indexOf(10); at !== -1 && lines < 10_000; at = body.indexOf(10, at + 1)) {
    lines++;
    if (body[at - 1] === 13) carriageReturns++;
  }
  if (lines === 0) return null;
  return carriageReturns * 2 > lines ? "\r\n" : "\n";
}

export function withLineEnd(text: string, end: LineEnd): string {
  const plain = text.replaceAll("\r\n", "\n");
  return end === "\n" ? plain : plain.replaceAll("\n", "\r\n");
}

/**
 * How lines end at a position: like its own line, or else like the file's last newline. Positions must be ascending:
 * the finder remembers the newline it found, so that one endless line isn't searched again for each.
 */
export function lineEndFinder(body: Buffer): (at: number) => LineEnd {
  let newline = -1;
  let isLast = false;
  return (at) => {
    if (!isLast && newline < at) {
      newline = body.indexOf(10, at);
      isLast = newline === -1;
      if (isLast) newline = body.lastIndexOf(10);
    }
    return newline > 0 && body[newline - 1] === 13 ? "\r\n" : "\n";
  };
}
