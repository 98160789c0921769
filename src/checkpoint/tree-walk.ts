// Walks a project and looks at each file without opening it, in short steps. Symlinks are not followed.
import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { NOT_UTF8 } from "../base/real-path.ts";
import { createTimeSlices } from "../base/time-slices.ts";
import { isLeftOut } from "./left-out.ts";

/** What lstat tells of a file. Two equal looks mean an unchanged file, but for a change in the same tick of its clock. */
export interface FileLook {
  readonly kind: "file" | "link" | "folder" | "special";
  readonly size: number;
  readonly modifiedMs: number;
  /** The kernel sets it at every change, and nobody can set it back. */
  readonly changedMs: number;
  readonly inode: number;
  readonly mode: number;
}

export interface WalkedTree {
  /** By path relative to the root, folders too. */
  readonly looks: Map<string, FileLook>;
  /** Folders whose content is left out, and names that are not UTF-8. */
  readonly leftOut: readonly string[];
  /** Folders with a repository of their own; "" for the root. */
  readonly repositories: readonly string[];
}

export async function walkTree(root: string, signal: AbortSignal): Promise<WalkedTree> {
  const slices = createTimeSlices(signal);
  const looks = new Map<string, FileLook>();
  const leftOut: string[] = [];
  const repositories: string[] = [];
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const { name } of list(`${root}/${folder}`)) {
      if (slices.due()) await slices.rest();
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name === ".git") repositories.push(folder);
      if (name.includes(NOT_UTF8)) {
        leftOut.push(path);
        continue;
      }
      const look = lookAt(`${root}/${path}`);
      if (look === null) continue;
      if (look.kind === "folder" && isLeftOut(name)) {
        leftOut.push(path);
        continue;
      }
      if (name === ".git") continue;
      looks.set(path, look);
      if (look.kind === "folder") waiting.push(path);
    }
  }
  return { looks, leftOut, repositories };
}

/** null if nothing is there, or nobody may look. */
export function lookAt(path: string): FileLook | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? null : lookOf(stat);
  } catch {
    return null;
  }
}

export function isSameLook(one: FileLook, other: FileLook): boolean {
  return (
    one.kind === other.kind &&
    one.size === other.size &&
    one.modifiedMs === other.modifiedMs &&
    one.changedMs === other.changedMs &&
    one.inode === other.inode &&
    one.mode === other.mode
  );
}

function lookOf(stat: Stats): FileLook {
  const kind = stat.isFile()
    ? "file"
    : stat.isDirectory()
      ? "folder"
      : stat.isSymbolicLink()
        ? "link"
        : "special";
  return {
    kind,
    size: stat.size,
    modifiedMs: stat.mtimeMs,
    changedMs: stat.ctimeMs,
    inode: stat.ino,
    mode: stat.mode & 0o7777,
  };
}

/** A folder that can't be read, or is gone meanwhile, is empty as far as anyone can tell. */
function list(folder: string): readonly Pick<Dirent, "name">[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
