// The port to a session's journal: records are appended and read, and a fence keeps out older writers. Files are one
// implementation (file-journal.ts); a database can be another. It rejects when it fails: the save queue decides what to
// do about that.
import type { ProcessIdentity } from "../base/liveness.ts";
import type { Sequence } from "../domain/journal-entry.ts";
import type { SessionPaths } from "./paths.ts";
import type { JournalBase, ReadRecords } from "./read-journal.ts";

export interface Journal {
  /** The number in this writer's records; of two writers the one with the higher number wins. */
  readonly epoch: number;
  readonly isThere: () => Promise<boolean>;
  /** Changes nothing. `after`: a snapshot holds everything up to there. */
  readonly read: (after?: JournalPosition) => Promise<FoundJournal>;
  /**
   * Before every append: makes us the writer, or checks that we still are. What a writer of an older epoch appends from
   * now on is ignored. Throws a SessionTakenError if another writer has the session. `absent`: there is nothing to
   * append to, so `begin` has to write everything.
   */
  readonly fence: () => Promise<"ready" | "absent">;
  /** `safe`: these and all before them survive a power cut once this resolves. After a failure they are given again. */
  readonly append: (records: readonly Unwritten[], safe: boolean) => Promise<void>;
  /** Starts over with these records, all of them or none; the existing journal is kept aside. */
  readonly begin: (records: readonly Unwritten[]) => Promise<void>;
  /** Where it ends, for a snapshot that covers all of it; undefined: uncertain, or it has no snapshots. */
  readonly end: () => Promise<number | undefined>;
  readonly release: () => Promise<void>;
}

/** Gives the journal of a session; `isNew`: this program begins it. */
export type JournalAt = (paths: SessionPaths, isNew: boolean) => Journal;

export interface JournalPosition extends JournalBase {
  /** As `end` returned it. */
  readonly offset: number;
}

export type Unusable =
  | { readonly status: "missing" }
  | { readonly status: "unreadable"; readonly problem: string };

export type FoundJournal =
  | Unusable
  | { readonly status: "good"; readonly read: ReadRecords; readonly facts: { readonly modifiedMs: number } };

export interface Unwritten {
  readonly seq: Sequence;
  /** A JSON object whose first key is `kind`. */
  readonly body: string;
}

/** Who has the session; undefined where that can't be read. */
export type Holder = ProcessIdentity | undefined;

/** Another window has the session now. */
export class SessionTakenError extends Error {
  readonly holder: Holder;

  constructor(holder: Holder) {
    super("Another window has taken this session over.");
    this.name = "SessionTakenError";
    this.holder = holder;
  }
}
