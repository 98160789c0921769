// What opening a session found and did, as data: it is shown, printed by doctor and tested.

import type { Sequence } from "../domain/journal-entry.ts";
import type { Repair } from "../domain/repair.ts";

export type RecoveryNoteKind =
  | "torn-end"
  | "damaged-line"
  | "damaged-end"
  | "missing-record"
  | "doubled-record"
  | "moved-record"
  | "stale-record"
  | "unreadable-record"
  | "lost-messages"
  | "closed-call"
  | "kept-partial"
  | "closed-turn"
  | "unsent-prompt"
  | "damaged-snapshot"
  | "missing-journal"
  | "unreadable-file"
  | "old-program"
  | "set-aside";

export interface RecoveryNote {
  readonly kind: RecoveryNoteKind;
  readonly seq?: Sequence;
  /** One sentence for a person. */
  readonly why: string;
}

export interface RecoveryReport {
  /** In the order in which things were found. */
  readonly notes: readonly RecoveryNote[];
  /** What had to be done so that the history is valid. */
  readonly repairs: readonly Repair[];
}

/** Whether something a person would miss is gone, as opposed to tidied up. */
export function isLoss(note: RecoveryNote): boolean {
  return LOSSES.has(note.kind);
}

const LOSSES: ReadonlySet<RecoveryNoteKind> = new Set([
  "damaged-line",
  "missing-record",
  "unreadable-record",
  "lost-messages",
  "damaged-snapshot",
  "missing-journal",
  "unreadable-file",
]);
