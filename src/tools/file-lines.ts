// Reads lines of a file of any size in constant memory: keeps only the requested lines, and cuts long ones.
import { isUtf8 } from "node:buffer";
import type { Encoding } from "./file-text.ts";

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const CHUNK_BYTES = 256 * 1024;
/** UTF-8 needs at most 3 bytes per UTF-16 code unit. */
const BYTES_PER_CHARACTER = 3;

export interface LineRequest {
  readonly encoding: Encoding;
  /** Bytes of the file, as far as is known: the buffer needn't be larger. */
  readonly size: number;
  /** Where the first line begins. */
  readonly startByte: number;
  /** How many lines to skip first. */
  readonly skip: number;
  readonly limit: number;
  readonly maxLineCharacters: number;
  /** Lines are kept until they have this many characters together, but always at least one line. */
  readonly maxCharacters: number;
  /** Whether to read on to the end of the file, so that all lines are counted and onChunk sees every byte. */
  readonly toTheEnd: boolean;
  readonly onChunk?: (chunk: Buffer) => void;
}

/** The part of FileHandle that is used here. */
export interface ByteSource {
  read(into: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

export interface LinesRead {
  readonly lines: readonly FileLine[];
  /** Lines seen, including skipped ones; all lines of the file if `complete`. */
  readonly counted: number;
  /** Whether the end of the file was reached. */
  readonly complete: boolean;
  readonly stoppedBy: "limit" | "characters" | null;
  readonly invalidUtf8: boolean;
}

export interface FileLine {
  readonly text: string;
  /** The length of the whole line in bytes, if `text` is only its beginning. */
  readonly cutFrom: number | null;
}

export async function readFileLines(
  source: ByteSource,
  request: LineRequest,
  signal: AbortSignal,
): Promise<LinesRead> {
  const collector = createCollector(request);
  const decoder = request.encoding === "utf-8" ? null : new TextDecoder(request.encoding);
  const buffer = Buffer.allocUnsafe(request.size > 0 ? Math.min(CHUNK_BYTES, request.size) : CHUNK_BYTES);
  for (let position = request.startByte; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await source.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return collector.result(true);
    position += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    request.onChunk?.(chunk);
    collector.add(decoder === null ? chunk : Buffer.from(decoder.decode(chunk, { stream: true })));
    if (collector.isFull() && !request.toTheEnd) return collector.result(false);
  }
}

/**
 * Where the last `count` lines begin, and how many there are if the file has fewer. Reads backwards, so that the end of
 * a huge log is found at once. `from` is where the text begins, after a BOM. Only for encodings in which lines end with
 * byte 10.
 */
export async function findTail(
  source: ByteSource,
  { from, size, count }: { readonly from: number; readonly size: number; readonly count: number },
  signal: AbortSignal,
): Promise<{ readonly startByte: number; readonly lines: number }> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let found = 0;
  for (let blockEnd = size; blockEnd > from; ) {
    const blockStart = Math.max(from, blockEnd - CHUNK_BYTES);
    const { bytesRead } = await source.read(buffer, 0, blockEnd - blockStart, blockStart);
    signal.throwIfAborted();
    const block = buffer.subarray(0, bytesRead);
    for (
      let at = block.lastIndexOf(NEWLINE);
      at !== -1;
      at = at === 0 ? -1 : block.lastIndexOf(NEWLINE, at - 1)
    ) {
      // A newline at the very end closes the last line; no line begins after it.
      if (blockStart + at === size - 1) continue;
      found++;
      if (found === count) return { startByte: blockStart + at + 1, lines: count };
    }
    blockEnd = blockStart;
  }
  return { startByte: from, lines: size > from ? found + 1 : 0 };
}

function createCollector(request: LineRequest) {
  // The additional byte is for a carriage return.
  const maxLineBytes = request.maxLineCharacters * BYTES_PER_CHARACTER + 1;
  const lines: FileLine[] = [];
  let counted = 0;
  let characters = 0;
  let invalidUtf8 = false;
  let stoppedBy: LinesRead["stoppedBy"] = null;
  // The unfinished line: its first bytes, and its length so far.
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let lineBytes = 0;

  const isWanted = () => stoppedBy === null && counted >= request.skip;

  /** `ends`: the line ends here, so its bytes are used before the buffer is filled again. */
  function extend(bytes: Buffer, ends: boolean): void {
    // Stops at a line's first byte, because the line beyond the limit may be endless.
    if (isWanted() && lines.length >= request.limit) stoppedBy = "limit";
    lineBytes += bytes.length;
    if (!isWanted() || keptBytes >= maxLineBytes) return;
    const piece = bytes.subarray(0, maxLineBytes - keptBytes);
    kept.push(ends ? piece : Buffer.from(piece));
    keptBytes += piece.length;
  }

  function endLine(): void {
    const [first, ...more] = kept;
    if (isWanted()) keepLine(first !== undefined && more.length === 0 ? first : Buffer.concat(kept));
    counted++;
    kept = [];
    keptBytes = 0;
    lineBytes = 0;
  }

  function keepLine(bytes: Buffer): void {
    const line = toLine(bytes, lineBytes, request.maxLineCharacters);
    if (lines.length > 0 && characters + line.text.length > request.maxCharacters) {
      stoppedBy = "characters";
      return;
    }
    if (line.cutFrom === null && !isUtf8(bytes)) invalidUtf8 = true;
    characters += line.text.length;
    lines.push(line);
  }

  return {
    isFull: () => stoppedBy !== null,
    add(chunk: Buffer): void {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        extend(chunk.subarray(start, end), true);
        endLine();
        start = end + 1;
      }
      if (start < chunk.length) extend(chunk.subarray(start), false);
    },
    result(complete: boolean): LinesRead {
      if (complete && lineBytes > 0) endLine();
      return { lines, counted, complete, stoppedBy, invalidUtf8 };
    },
  };
}

function toLine(bytes: Buffer, lineBytes: number, maxCharacters: number): FileLine {
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  const text = bytes.toString("utf8", 0, end);
  if (lineBytes === bytes.length && text.length <= maxCharacters) return { text, cutFrom: null };
  // A cut between the halves of a surrogate pair would leave a lone one.
  const most = /[\uD800-\uDBFF]/.test(text[maxCharacters - 1] ?? "") ? maxCharacters - 1 : maxCharacters;
  return { text: text.slice(0, most), cutFrom: lineBytes };
}
