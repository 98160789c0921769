// One record as one line of text: {"sum":"<checksum>","format":1,"epoch":1,"seq":2,"kind":...}. The checksum covers the
// rest of the line exactly as written, so verifying it needs no second serialisation.
import { CHECKSUM_LENGTH, checksum } from "../base/checksum.ts";
import { isJsonObject, type JsonObject, parseJson } from "../base/json.ts";
import type { Sequence } from "../domain/journal-entry.ts";
import { isNumber, isString } from "./stored-keys.ts";

/** The newest format that this program can read. What it would misread needs a new number. */
export const RECORD_FORMAT = 2;
/** What every program reads alike, so that an earlier one can go on with the session. */
export const FIRST_FORMAT = 1;
/** The first program passed over these, and what a person had taken back was in the conversation again. */
const SECOND_FORMAT = /^\{"kind":"restore"[,}]/;

export interface JournalRecord {
  /** 1 in journals from before records said it. */
  readonly format: number;
  readonly epoch: number;
  readonly seq: Sequence;
  readonly kind: string;
  readonly body: JsonObject;
}

const START = '{"sum":"';
const SEPARATOR = '",';
const SUM_END = START.length + CHECKSUM_LENGTH;
const COVERED_FROM = SUM_END + SEPARATOR.length;

/** `body` is the text of a JSON object whose first key is `kind`. */
export function formatLine(epoch: number, seq: Sequence, body: string): string {
  const format = SECOND_FORMAT.test(body) ? RECORD_FORMAT : FIRST_FORMAT;
  const covered = `"format":${format},"epoch":${epoch},"seq":${seq},${body.slice(1)}`;
  return `${START}${checksum(covered)}${SEPARATOR}${covered}\n`;
}

export interface DamagedLine {
  /** Counted from 1, as editors do. */
  readonly number: number;
  readonly bytes: number;
  /** `end`: only the newline is damaged, and no record is lost. `torn`: the file ends in the middle of the line. */
  readonly damage: "record" | "end" | "torn";
  /** What its text seems to say; it can't be relied on. */
  readonly hint: string;
}

interface ReadLines {
  /** In the order of the file. */
  readonly records: readonly JournalRecord[];
  readonly damaged: readonly DamagedLine[];
}

export function readRecordLines(bytes: Buffer): ReadLines {
  const records: JournalRecord[] = [];
  const damaged: DamagedLine[] = [];
  const lines = bytes.toString("utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    const whole = readRecord(line);
    if (whole !== undefined) records.push(whole);
    if (whole !== undefined || line === "") continue;
    // A damaged newline, or a write after a torn line, leaves whole records inside a bad line.
    const number = index + 1;
    const damagedBefore = damaged.length;
    for (const piece of pieces(line)) {
      const record = readRecord(piece) ?? readRecord(piece.slice(0, -1));
      const isTorn = number === lines.length && line.endsWith(piece);
      if (record !== undefined) records.push(record);
      else damaged.push(describe(piece, number, isTorn ? "torn" : "record"));
    }
    if (damaged.length === damagedBefore) damaged.push(describe(line, number, "end"));
  }
  return { records, damaged };
}

/** Bytes that are not UTF-8 decode to other characters, so the checksum finds them as it finds any damage. */
function readRecord(line: string): JournalRecord | undefined {
  if (!line.startsWith(START)) return undefined;
  if (checksum(line.slice(COVERED_FROM)) !== line.slice(START.length, SUM_END)) return undefined;
  const parsed = parseJson(line);
  return parsed.ok && isJsonObject(parsed.value) ? asRecord(parsed.value) : undefined;
}

function asRecord(body: JsonObject): JournalRecord | undefined {
  const { format = 1, epoch, seq, kind } = body;
  if (!isNumber(format) || !isNumber(epoch) || !isNumber(seq) || !isString(kind)) return undefined;
  return { format, epoch, seq, kind, body };
}

/** The start of a record can't occur inside one: quotes in a JSON string are escaped. */
function pieces(line: string): string[] {
  const starts = [0];
  for (let at = line.indexOf(START, 1); at !== -1; at = line.indexOf(START, at + 1)) starts.push(at);
  return starts.map((start, index) => line.slice(start, starts[index + 1]));
}

function describe(piece: string, number: number, damage: DamagedLine["damage"]): DamagedLine {
  const [, seq, kind] = /"seq":(\d+),"kind":"([a-z-]+)"/.exec(piece.slice(0, 200)) ?? [];
  const hint = seq === undefined ? "" : `record ${seq}, ${kind}`;
  return { number, bytes: Buffer.byteLength(piece), damage, hint };
}
