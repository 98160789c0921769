// Tells what was changed after a call had ended, and so by somebody else.
import { lstatSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { FileChange } from "../domain/file-change.ts";
import { type FileLook, isSameLook, lookAt } from "./file-look.ts";
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
  const isLate = ({ path }: FileChange) => {
    const place = isAbsolute(path) ? path : join(end.root, path);
    const seen = index.rowOf(path)?.look ?? null;
    // What is gone has no time, and a folder's time tells of what others put into it.
    if (seen !== null && seen.kind !== "folder" && seen.changedMs > latestMs) return true;
    return end.hasChangedSince(place) && isStill(seen, lookAt(place));
  };
  return { early: changes.filter((change) => !isLate(change)), late: changes.filter(isLate) };
}

/** Otherwise it has changed once more since it was looked at, and that may be all that is known to have changed. */
function isStill(seen: FileLook | null, now: FileLook | null): boolean {
  if (seen === null || now === null) return seen === now;
  if (seen.kind === "folder") return now.kind === "folder" && now.mode === seen.mode;
  return isSameLook(seen, now);
}

/** Within one file system, no file is stamped later than one that was written after it. */
function deviceOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.dev;
}
