// One record as one line of text: {"sum":"<checksum>","epoch":1,"seq":2,"kind":...}. The checksum is over the
// rest of the line exactly as written, so that verifying never means writing it again.
import { CHECKSUM_LENGTH, checksum } from "../base/checksum.ts";
import { isJsonObject, type JsonObject, parseJson } from "../base/json.ts";
import type { Sequence } from "../domain/session-entry.ts";

export interface JournalRecord {
  readonly epoch: number;
  readonly seq: Sequence;
  readonly kind: string;
  readonly body: JsonObject;
}

const START = '{"sum":"';
const START_BYTES = Buffer.from(START);
const SEPARATOR = '",';
const COVERED_FROM = START.length + CHECKSUM_LENGTH + SEPARATOR.length;
const NEWLINE = 0x0a;

/** `body` is the text of a JSON object whose first key is `kind`. */
export function formatLine(epoch: number, seq: Sequence, body: string): string {
  const covered = `"epoch":${epoch},"seq":${seq},${body.slice(1)}`;
  return `${START}${checksum(covered)}${SEPARATOR}${covered}\n`;
}

export interface DamagedLine {
  readonly offset: number;
  readonly bytes: number;
  /** The file ends in the middle of this line. */
  readonly torn: boolean;
  /** What its text seems to say; nothing that can be relied on. */
  readonly hint: string;
}

export interface ReadLines {
  /** In the order of the file. */
  readonly records: readonly JournalRecord[];
  readonly damaged: readonly DamagedLine[];
}

export function readLines(bytes: Buffer): ReadLines {
  const records: JournalRecord[] = [];
  const damaged: DamagedLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    if (end > start) {
      const record = readRecord(bytes, start, end);
      if (record !== undefined) records.push(record);
      else salvage(bytes, start, end, newline === -1, records, damaged);
    }
    start = end + 1;
  }
  return { records, damaged };
}

function readRecord(bytes: Buffer, start: number, end: number): JournalRecord | undefined {
  const covered = start + COVERED_FROM;
  if (covered >= end || bytes.compare(START_BYTES, 0, START.length, start, start + START.length) !== 0)
    return undefined;
  const sum = bytes.toString("latin1", start + START.length, start + START.length + CHECKSUM_LENGTH);
  if (checksum(bytes.subarray(covered, end)) !== sum) return undefined;
  const parsed = parseJson(bytes.toString("utf8", start, end));
  return parsed.ok && isJsonObject(parsed.value) ? asRecord(parsed.value) : undefined;
}

function asRecord(body: JsonObject): JournalRecord | undefined {
  const { epoch, seq, kind } = body;
  if (typeof epoch !== "number" || typeof seq !== "number" || typeof kind !== "string") return undefined;
  return { epoch, seq, kind, body };
}

/**
 * A damaged newline, or a line that was cut and then written after, leaves whole records inside a bad line.
 * The start of a record can't occur inside one: quotes in a JSON string are escaped.
 */
function salvage(
  bytes: Buffer,
  from: number,
  end: number,
  atEndOfFile: boolean,
  records: JournalRecord[],
  damaged: DamagedLine[],
): void {
  let start = from;
  while (start < end) {
    const next = bytes.indexOf(START_BYTES, start + 1);
    const stop = next === -1 || next > end ? end : next;
    const record = readRecord(bytes, start, stop) ?? readRecord(bytes, start, stop - 1);
    if (record !== undefined) records.push(record);
    else damaged.push(describe(bytes, start, stop, atEndOfFile && stop === end));
    start = stop;
  }
}

function describe(bytes: Buffer, start: number, end: number, torn: boolean): DamagedLine {
  const text = bytes.toString("utf8", start, Math.min(end, start + 200));
  const [, seq, kind] = /"seq":(\d+),"kind":"([a-z-]+)"/.exec(text) ?? [];
  const hint = seq === undefined ? "" : `record ${seq}, ${kind}`;
  return { offset: start, bytes: end - start, torn, hint };
}
