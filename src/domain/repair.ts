// What a repair of a history did, as data: it is shown, journalled and tested.

export type RepairKind =
  | "dangling-call"
  | "orphan-return"
  | "misplaced-return"
  | "duplicate-return"
  | "duplicate-id"
  | "missing-id"
  | "blank-part"
  | "empty-message"
  | "alternation"
  | "lost-beginning"
  | "unanswered-prompt"
  | "unfinished-turn"
  | "system-part"
  | "run-id"
  | "pruned-return"
  | "wire-gate";

export interface Repair {
  readonly kind: RepairKind;
  /** Index of the message in the history as it was given to the step. */
  readonly at: number;
  readonly kept: "all" | "some" | "nothing";
  /** One sentence for a person. */
  readonly why: string;
}
