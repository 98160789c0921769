// What opening a session found and did, as data: it is shown, printed by doctor and tested.
import type { Sequence } from "../domain/journal-entry.ts";
import type { Repair } from "../domain/repair.ts";

/** The kinds of notes; true: something is lost that a person would miss. */
const IS_LOSS = {
  "torn-end": false,
  "damaged-line": true,
  "damaged-end": false,
  "missing-record": true,
  "doubled-record": false,
  "moved-record": false,
  "stale-record": false,
  "unreadable-record": true,
  "lost-messages": true,
  "closed-call": false,
  "kept-partial": false,
  "closed-turn": false,
  "unsent-prompt": false,
  "damaged-snapshot": true,
  "missing-journal": true,
  "unreadable-file": true,
  "old-program": false,
  "set-aside": false,
};

export type RecoveryNoteKind = keyof typeof IS_LOSS;

export interface RecoveryNote {
  readonly kind: RecoveryNoteKind;
  readonly seq?: Sequence;
  /** One sentence for a person. */
  readonly why: string;
}

export interface RecoveryReport {
  /** In the order in which they were found. */
  readonly notes: readonly RecoveryNote[];
  /** What made the history valid. */
  readonly repairs: readonly Repair[];
}

export function isLoss({ kind }: RecoveryNote): boolean {
  return IS_LOSS[kind];
}
