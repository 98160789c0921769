// The bytes of a journal as records that can be relied on: in order of their numbers, each once, none from a writer
// that had lost the session. Everything else is reported.
import type { Sequence } from "../domain/journal-entry.ts";
import { type DamagedLine, type JournalRecord, readRecordLines } from "./line.ts";
import type { RecoveryNote } from "./report.ts";

export interface ReadRecords {
  readonly records: readonly JournalRecord[];
  /** Numbers that must have been written and can't be found. */
  readonly missing: ReadonlySet<Sequence>;
  readonly notes: readonly RecoveryNote[];
  readonly highestEpoch: number;
  readonly nextSeq: Sequence;
  /** The newest of the formats that the records are written in. */
  readonly newestFormat: number;
}

export interface ReadJournal extends ReadRecords {
  /** False: the next line has to begin with a newline. */
  readonly endsWithNewline: boolean;
  /** How many lines are as they were written, stale ones included. */
  readonly intactLines: number;
}

/** What came before these bytes: a snapshot that holds everything up to `seq`. */
export interface JournalBase {
  readonly epoch: number;
  readonly seq: Sequence;
}

const NOTHING_BEFORE: JournalBase = { epoch: 0, seq: 0 };

export function readJournal(bytes: Buffer, base: JournalBase = NOTHING_BEFORE): ReadJournal {
  const lines = readRecordLines(bytes);
  return {
    ...readRecords(lines.records, base, lines.damaged.map(damageNote)),
    endsWithNewline: bytes.length === 0 || bytes.at(-1) === 0x0a,
    intactLines: lines.records.length,
  };
}

/** The same for records that are already parsed; `damage` is what parsing them found. */
export function readRecords(
  all: readonly JournalRecord[],
  base: JournalBase = NOTHING_BEFORE,
  damage: readonly RecoveryNote[] = [],
): ReadRecords {
  const notes: RecoveryNote[] = [];
  const newer = all.filter((record) => record.seq > base.seq);
  const current = withoutStale(newer, base, notes);
  const records = inOrder(current, notes);
  const nextSeq = (records.at(-1)?.seq ?? base.seq) + 1;
  const missing = missingNumbers(records, firstNumber(records, base));
  notes.push(...damage, ...missingNotes(missing));
  return {
    records,
    missing,
    notes,
    highestEpoch: newer.reduce((highest, record) => Math.max(highest, record.epoch), base.epoch),
    nextSeq,
    newestFormat: newer.reduce((newest, record) => Math.max(newest, record.format), 0),
  };
}

/**
 * A writer that was stopped, lost the session and came back may still have written. The new holder's first record says
 * where its epoch begins: what an older epoch numbered from there on is stale. The numbers alone decide, not the order
 * of the lines.
 */
function withoutStale(
  records: readonly JournalRecord[],
  base: JournalBase,
  notes: RecoveryNote[],
): readonly JournalRecord[] {
  const begins = new Map<number, Sequence>();
  for (const { epoch, seq } of records) begins.set(epoch, Math.min(seq, begins.get(epoch) ?? seq));
  const epochs = [...begins.set(base.epoch, base.seq)];
  return records.filter((record) => {
    const isStale = epochs.some(([epoch, begin]) => epoch > record.epoch && begin <= record.seq);
    if (isStale) notes.push({ kind: "stale-record", seq: record.seq, why: staleWhy(record) });
    return !isStale;
  });
}

function staleWhy({ seq, kind, epoch }: JournalRecord): string {
  return `Record ${seq} (${kind}) was written by a window that had lost the session (epoch ${epoch}): set aside.`;
}

function inOrder(records: readonly JournalRecord[], notes: RecoveryNote[]): readonly JournalRecord[] {
  const byNumber = new Map<Sequence, JournalRecord>();
  let highest = 0;
  for (const record of records) {
    if (byNumber.has(record.seq)) {
      notes.push({ kind: "doubled-record", seq: record.seq, why: `Record ${record.seq} is doubled.` });
      continue;
    }
    if (record.seq < highest)
      notes.push({ kind: "moved-record", seq: record.seq, why: `Record ${record.seq} is out of order.` });
    highest = Math.max(highest, record.seq);
    byNumber.set(record.seq, record);
  }
  return [...byNumber.values()].sort((a, b) => a.seq - b.seq);
}

/** A journal that was begun anew continues the numbers of the one before it. */
function firstNumber(records: readonly JournalRecord[], base: JournalBase): Sequence {
  const [first] = records;
  return first?.kind === "header" ? first.seq : base.seq + 1;
}

function missingNumbers(records: readonly JournalRecord[], from: Sequence): Set<Sequence> {
  const missing = new Set<Sequence>();
  let expected = from;
  for (const { seq } of records) {
    for (; expected < seq; expected++) missing.add(expected);
    expected = seq + 1;
  }
  return missing;
}

function damageNote({ number, bytes, damage, hint }: DamagedLine): RecoveryNote {
  const what = hint === "" ? `${bytes} bytes` : `${bytes} bytes: ${hint}`;
  switch (damage) {
    case "torn":
      return { kind: "torn-end", why: `The file ends in the middle of a line (${what}): dropped.` };
    case "end":
      return { kind: "damaged-end", why: `The end of line ${number} is damaged: nothing is lost.` };
    case "record":
      return { kind: "damaged-line", why: `Line ${number} is damaged (${what}): skipped.` };
  }
}

/** Consecutive numbers share a note: a whole lost page is one sentence. */
function missingNotes(missing: ReadonlySet<Sequence>): RecoveryNote[] {
  const runs: [first: Sequence, last: Sequence][] = [];
  for (const seq of missing) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === seq - 1) run[1] = seq;
    else runs.push([seq, seq]);
  }
  return runs.map(([first, last]) => ({
    kind: "missing-record",
    seq: first,
    why: first === last ? `Record ${first} is missing.` : `Records ${first} to ${last} are missing.`,
  }));
}
