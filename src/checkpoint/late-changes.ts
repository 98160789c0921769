// Tells what was changed after a call had ended, and so by somebody else.
import { lstatSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { FileChange } from "../domain/file-change.ts";
import type { TreeIndex } from "./tree-index.ts";

interface CallEnd {
  /** By the clock of the file system that `clock` is in. */
  readonly atMs: number;
  readonly clock: string;
  readonly root: string;
  /** This absolute path is known to have changed since. */
  readonly hasChangedSince: (path: string) => boolean;
}

/** How far apart the clocks of two file systems may be. */
const OTHER_CLOCK_MS = 20;

export function splitAtEnd(
  changes: readonly FileChange[],
  end: CallEnd,
  index: Pick<TreeIndex, "rowOf">,
): { readonly early: readonly FileChange[]; readonly late: readonly FileChange[] } {
  const latestMs = end.atMs + (deviceOf(end.clock) === deviceOf(end.root) ? 0 : OTHER_CLOCK_MS);
  const isLate = ({ path, after }: FileChange) => {
    // What is gone has no time, and a folder's time tells of what others put into it.
    const changedMs = after.type === "folder" ? undefined : index.rowOf(path)?.look.changedMs;
    return (changedMs ?? 0) > latestMs || end.hasChangedSince(isAbsolute(path) ? path : join(end.root, path));
  };
  return { early: changes.filter((change) => !isLate(change)), late: changes.filter(isLate) };
}

/** Within one file system, no file is stamped later than one that was written after it. */
function deviceOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.dev;
}
