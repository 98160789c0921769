// Journals in memory: the second implementation of the port, as a database would be one. No files, no leases, no
// renames: a table of records and, for each session, who may write.
import { isJsonObject, parseJson } from "../../src/base/json.ts";
import {
  type FoundJournal,
  type Journal,
  type JournalAt,
  SessionTakenError,
  type Unwritten,
} from "../../src/session/journal.ts";
import { type JournalRecord, RECORD_FORMAT } from "../../src/session/line.ts";
import { readRecords } from "../../src/session/read-journal.ts";

interface Kept {
  records: JournalRecord[];
  /** The highest that was ever given out. */
  epoch: number;
  /** The one that may write, while it lives. */
  writer: number | null;
}

export class MemoryJournals {
  readonly kept = new Map<string, Kept>();

  readonly at: JournalAt = ({ sessionId }) => {
    const kept = this.kept.get(sessionId) ?? { records: [], epoch: 0, writer: null };
    this.kept.set(sessionId, kept);
    return memoryJournal(kept);
  };

  /** As if the writer's process were stopped: the next one to come may write. */
  stopWriter(sessionId: string): void {
    const kept = this.kept.get(sessionId);
    if (kept !== undefined) kept.writer = null;
  }
}

function memoryJournal(kept: Kept): Journal {
  let epoch = 0;
  const mayWrite = () => epoch > 0 && epoch === kept.epoch;
  const encode = ({ seq, body }: Unwritten): JournalRecord => {
    const parsed = parseJson(body);
    if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error("A record is a JSON object.");
    return { format: RECORD_FORMAT, epoch, seq, kind: String(parsed.value["kind"]), body: parsed.value };
  };
  return {
    get epoch() {
      return epoch;
    },
    isThere: async () => kept.records.length > 0,
    read: async (after): Promise<FoundJournal> => {
      if (kept.records.length === 0) return { status: "missing" };
      return { status: "good", read: readRecords(kept.records, after), facts: { modifiedMs: 0 } };
    },
    fence: async () => {
      if (epoch === 0 && kept.writer === null) {
        epoch = ++kept.epoch;
        kept.writer = epoch;
      }
      if (!mayWrite()) throw new SessionTakenError(undefined);
      return kept.records.length === 0 ? "absent" : "ready";
    },
    append: async (records) => {
      if (!mayWrite()) throw new SessionTakenError(undefined);
      kept.records.push(...records.map(encode));
    },
    begin: async (records) => {
      if (!mayWrite()) throw new SessionTakenError(undefined);
      kept.records = records.map(encode);
    },
    // There are no snapshots of it.
    end: async () => undefined,
    release: async () => {
      if (kept.writer === epoch) kept.writer = null;
    },
  };
}
