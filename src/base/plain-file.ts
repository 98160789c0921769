// Reads a file that somebody else may have put there: only a plain file, only up to a size, and never one that makes us
// wait. Where it has to be inside a folder, that is checked of the file that was opened, so that nothing can be swapped
// between the check and the reading.

import { constants, fstatSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { failureCode } from "./failure-code.ts";
import { isWithin, linksOnDisk, realPath } from "./real-path.ts";

export interface PlainFileBounds {
  readonly mostBytes: number;
  /** The file must be in this folder, wherever symlinks lead. Without it the file may be anywhere. */
  readonly inside?: string;
  /** Says why the file at this real path is not to be read; null if it may be. */
  readonly refuse?: (realPath: string) => string | null;
}

export type PlainFile =
  | { readonly type: "read"; readonly bytes: Buffer; readonly mode: number }
  | { readonly type: "missing" }
  /** `why` completes a sentence that begins with the file's name. */
  | { readonly type: "refused"; readonly why: string };

export async function readPlainFile(path: string, bounds: PlainFileBounds): Promise<PlainFile> {
  let file: FileHandle | undefined;
  try {
    // Opening a device or looking into a network folder may have effects, so the path is judged before it is opened.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { type: "missing" };
    const way = realPath(path, linksOnDisk);
    const early = way === null ? "is a symlink that leads nowhere" : misplaced(way, bounds);
    if (early !== null) return { type: "refused", why: early };
    const seen = statSync(path, { throwIfNoEntry: false });
    if (seen === undefined) return { type: "refused", why: "is a symlink that leads nowhere" };
    if (!seen.isFile()) return { type: "refused", why: NOT_PLAIN };

    const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;
    file = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    const found = fstatSync(file.fd);
    if (!found.isFile()) return { type: "refused", why: NOT_PLAIN };
    const late = misplaced(placeOf(file.fd, path), bounds);
    if (late !== null) return { type: "refused", why: late };
    const bytes = found.size > bounds.mostBytes ? null : await readBounded(file, bounds.mostBytes);
    return bytes === null
      ? { type: "refused", why: `has more than ${bounds.mostBytes} bytes` }
      : { type: "read", bytes, mode: found.mode };
  } catch (error) {
    const code = failureCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { type: "missing" };
    return { type: "refused", why: `can't be read (${code || String(error)})` };
  } finally {
    await file?.close();
  }
}

const NOT_PLAIN = "is not a plain file";

function misplaced(path: string, { inside, refuse }: PlainFileBounds): string | null {
  if (inside !== undefined && !isWithin(path, realpathSync(inside))) return "leads out of the project";
  return refuse?.(path) ?? null;
}

/** Where an open file is. Only Linux with /proc can tell; elsewhere the path has to lead to the same file as before. */
function placeOf(descriptor: number, path: string): string {
  const link = `/proc/self/fd/${descriptor}`;
  if (linksOnDisk.readLink(link) !== null) return readlinkSync(link);
  const place = realpathSync(path);
  const [opened, there] = [fstatSync(descriptor), lstatSync(place)];
  return opened.ino === there.ino && opened.dev === there.dev ? place : "/";
}

/** Null if there is more: a file may grow, and those of /proc claim to be empty. */
async function readBounded(file: FileHandle, most: number): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  while (length <= most) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, most + 1 - length));
    const { bytesRead } = await file.read(piece, 0, piece.length, null);
    if (bytesRead === 0) return Buffer.concat(pieces);
    pieces.push(piece.subarray(0, bytesRead));
    length += bytesRead;
  }
  return null;
}

const PIECE_BYTES = 64 * 1024;
