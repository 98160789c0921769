// How the rest of the program has changes taken back on disk.
import type { FileChange } from "../domain/file-change.ts";
import type { RestoreId } from "../domain/ids.ts";
import type { RestorePlan } from "./restore-plan.ts";

export interface Restorer {
  /** What taking these back would do to what is on disk now. Changes nothing. */
  readonly plan: (changes: readonly FileChange[]) => Promise<RestorePlan>;
  /**
   * Carries out the steps, and of the conflicts those at the paths in `overwrite`. Each file is checked again at the
   * last moment; one that somebody changed meanwhile stays, and is a conflict. The intent is on disk before the first
   * step, and stays until `settle`.
   */
  readonly carryOut: (
    plan: RestorePlan,
    restoreId: RestoreId,
    overwrite: ReadonlySet<string>,
  ) => Promise<RestoreResult>;
  /** The session has written down what was done: the intent is no longer needed. */
  readonly settle: (restoreId: RestoreId) => Promise<void>;
  /** Finishes what a killed process had begun in this session. The same again until it is settled. */
  readonly recover: () => Promise<readonly ({ readonly restoreId: RestoreId } & RestoreResult)[]>;
}

export interface RestoreResult {
  /** What it did: from what was there to what is there now. Taking these back is redo. */
  readonly changes: readonly FileChange[];
  readonly conflicts: RestorePlan["conflicts"];
}
