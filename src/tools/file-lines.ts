// Lines of a file of any size, in constant memory: only the lines asked for are kept, and of each only its beginning.
import { isUtf8 } from "node:buffer";
import type { Encoding } from "./file-text.ts";

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const CHUNK_BYTES = 256 * 1024;
/** UTF-8 needs at most 3 bytes for one UTF-16 unit. */
const BYTES_PER_CHARACTER = 3;

export interface LineRequest {
  readonly encoding: Encoding;
  /** The file's first bytes, so that a small file is read once. */
  readonly head: FileHead;
  /** Where the first line begins. */
  readonly startByte: number;
  /** How many lines to pass over first. */
  readonly skip: number;
  readonly limit: number;
  readonly maxLineCharacters: number;
  /** Lines are kept until they hold this many characters together, at least one. */
  readonly maxCharacters: number;
  /** After the last line kept: go on to the end of the file, to count and to show every byte to onChunk. */
  readonly toTheEnd: boolean;
  readonly onChunk?: (chunk: Buffer) => void;
}

/** What a FileHandle does. */
export interface ByteSource {
  readonly read: (
    into: Buffer,
    offset: number,
    length: number,
    position: number,
  ) => Promise<{ readonly bytesRead: number }>;
}

export interface FileHead {
  readonly bytes: Buffer;
  /** There is nothing after it. */
  readonly isWhole: boolean;
}

export interface LinesRead {
  readonly lines: readonly FileLine[];
  /** Lines passed, skipped ones included; all of the file's when `complete`. */
  readonly counted: number;
  /** The end of the file was reached. */
  readonly complete: boolean;
  readonly stoppedBy: "limit" | "characters" | null;
  readonly invalidUtf8: boolean;
}

export interface FileLine {
  readonly text: string;
  /** Bytes of the whole line where `text` is only its beginning. */
  readonly cutFrom: number | null;
}

export async function readFileLines(
  source: ByteSource,
  request: LineRequest,
  signal: AbortSignal,
): Promise<LinesRead> {
  const collector = createCollector(request);
  const decoder = request.encoding === "utf-8" ? null : new TextDecoder(request.encoding);
  for await (const chunk of chunks(source, request, signal)) {
    request.onChunk?.(chunk);
    collector.add(decoder === null ? chunk : Buffer.from(decoder.decode(chunk, { stream: true })));
    if (collector.isFull() && !request.toTheEnd) return collector.result(false);
  }
  return collector.result(true);
}

/** Each chunk is only valid until the next one is asked for. */
async function* chunks(
  source: ByteSource,
  { head, startByte }: LineRequest,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  if (startByte < head.bytes.length) yield head.bytes.subarray(startByte);
  if (head.isWhole) return;
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = Math.max(startByte, head.bytes.length); ; ) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES, position);
    signal.throwIfAborted();
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function createCollector(request: LineRequest) {
  // One more for a carriage return.
  const maxLineBytes = request.maxLineCharacters * BYTES_PER_CHARACTER + 1;
  const lines: FileLine[] = [];
  let counted = 0;
  let characters = 0;
  let invalidUtf8 = false;
  let stoppedBy: LinesRead["stoppedBy"] = null;
  // The line whose end is still to come: its first bytes, and how many it has.
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let lineBytes = 0;

  const isWanted = () => stoppedBy === null && counted >= request.skip;

  /** Said at a line's first byte: the line that is too much may be endless. */
  function stopAtLimit(): void {
    if (isWanted() && lines.length >= request.limit) stoppedBy = "limit";
  }

  function extend(bytes: Buffer): void {
    stopAtLimit();
    lineBytes += bytes.length;
    if (!isWanted() || keptBytes >= maxLineBytes) return;
    const piece = Buffer.from(bytes.subarray(0, maxLineBytes - keptBytes));
    kept.push(piece);
    keptBytes += piece.length;
  }

  function endLine(): void {
    if (isWanted()) keepLine(Buffer.concat(kept), lineBytes, false);
    counted++;
    kept = [];
    keptBytes = 0;
    lineBytes = 0;
  }

  /** As nearly every line comes. */
  function addWholeLine(bytes: Buffer, isUtf8Text: boolean): void {
    stopAtLimit();
    if (isWanted()) keepLine(bytes.subarray(0, maxLineBytes), bytes.length, isUtf8Text);
    counted++;
  }

  function keepLine(bytes: Buffer, wholeBytes: number, isUtf8Text: boolean): void {
    const line = toLine(bytes, wholeBytes, request.maxLineCharacters);
    if (lines.length > 0 && characters + line.text.length > request.maxCharacters) {
      stoppedBy = "characters";
      return;
    }
    if (line.cutFrom === null && !isUtf8Text && !isUtf8(bytes)) invalidUtf8 = true;
    characters += line.text.length;
    lines.push(line);
  }

  return {
    isFull: () => stoppedBy !== null,
    add(chunk: Buffer): void {
      const isUtf8Text = stoppedBy === null && isUtf8(chunk);
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        const bytes = chunk.subarray(start, end);
        if (lineBytes === 0) addWholeLine(bytes, isUtf8Text);
        else {
          extend(bytes);
          endLine();
        }
        start = end + 1;
      }
      if (start < chunk.length) extend(chunk.subarray(start));
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
  // Not between the two halves of a character.
  const most = /[\uD800-\uDBFF]/.test(text[maxCharacters - 1] ?? "") ? maxCharacters - 1 : maxCharacters;
  return { text: text.slice(0, most), cutFrom: lineBytes };
}
