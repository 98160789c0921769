// How a file looks from outside, without opening it.
import { lstatSync, type Stats } from "node:fs";

/** What lstat tells of a file. Two equal looks mean an unchanged file, but for a change in the same tick of its clock. */
export interface FileLook {
  readonly kind: FileKind;
  readonly size: number;
  readonly modifiedMs: number;
  /** The kernel sets it at every change, and nobody can set it back. */
  readonly changedMs: number;
  readonly inode: number;
  readonly mode: number;
}

export type FileKind = "file" | "link" | "folder" | "special";

/** null if nothing is there, or nobody may look. */
export function lookAt(path: string): FileLook | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? null : lookOf(stat);
  } catch {
    // A parent that is no folder, or one that nobody may enter.
    return null;
  }
}

export function isSameLook(one: FileLook, other: FileLook): boolean {
  return (
    one.changedMs === other.changedMs &&
    one.modifiedMs === other.modifiedMs &&
    one.size === other.size &&
    one.inode === other.inode &&
    one.mode === other.mode &&
    one.kind === other.kind
  );
}

/** The clocks of file systems tick in steps of up to ten milliseconds; some count whole seconds, or every other one. */
const FINE_TICK_MS = 30;
const COARSE_TICK_MS = 2_100;

/** A file that changed so shortly before `seenMs` that a later change may look the same. */
export function isFreshAt({ changedMs }: Pick<FileLook, "changedMs">, seenMs: number): boolean {
  const tickMs = changedMs % 1000 === 0 ? COARSE_TICK_MS : FINE_TICK_MS;
  return seenMs - changedMs < tickMs;
}

export function lookOf(stat: Stats): FileLook {
  return {
    kind: kindOf(stat.mode),
    size: stat.size,
    modifiedMs: stat.mtimeMs,
    changedMs: stat.ctimeMs,
    inode: stat.ino,
    mode: stat.mode & 0o7777,
  };
}

function kindOf(mode: number): FileKind {
  switch (mode & 0o170000) {
    case 0o100000:
      return "file";
    case 0o040000:
      return "folder";
    case 0o120000:
      return "link";
    default:
      return "special";
  }
}
