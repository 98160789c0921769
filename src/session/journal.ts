// A session's journal as everybody else sees it: a place that records can be appended to, read from, and fenced. Files
// are one such place (file-journal.ts); a database can be another. It fails loudly: what to do about a failure is the
// save queue's decision.
import type { Sequence } from "../domain/journal-entry.ts";
import type { Holder } from "./lease.ts";
import type { SessionPaths } from "./paths.ts";
import type { JournalBase, ReadRecords } from "./read-journal.ts";

export interface Journal {
  /** The number this writer's records carry; of two writers the higher one counts. */
  readonly epoch: number;
  readonly isThere: () => Promise<boolean>;
  /** Changes nothing. `after`: a snapshot holds everything up to there. */
  readonly read: (after?: JournalPosition) => Promise<FoundJournal>;
  /**
   * Before every append: makes us the writer, or sees that we still are. What a writer of an older epoch appends from
   * now on doesn't count. Throws a SessionTakenError where another one has the session. `absent`: there is nothing to
   * append to, so the journal has to be begun with all there is.
   */
  readonly fence: () => Promise<"ready" | "absent">;
  /** `safe`: these and all before them survive a power cut once this resolves. What it fails with is given again. */
  readonly append: (records: readonly Unwritten[], safe: boolean) => Promise<void>;
  /** Begins anew with these records, all of them or none; what was there is kept aside. */
  readonly begin: (records: readonly Unwritten[]) => Promise<void>;
  /** Where it ends, for a snapshot that covers all of it; undefined: not certain, or there are no snapshots of it. */
  readonly end: () => Promise<number | undefined>;
  readonly release: () => Promise<void>;
}

/** Where the journal of a session is kept; `isNew`: this program begins it. */
export type JournalAt = (paths: SessionPaths, isNew: boolean) => Journal;

export interface JournalPosition extends JournalBase {
  /** What `end` said. */
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

/** Another window has the session now. */
export class SessionTakenError extends Error {
  readonly holder: Holder;

  constructor(holder: Holder) {
    super("Another window has taken this session over.");
    this.name = "SessionTakenError";
    this.holder = holder;
  }
}
