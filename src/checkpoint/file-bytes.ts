// Reads and names the bytes of a file that anybody may change meanwhile: never through a symlink, and never one that
// makes us wait.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { newHasher } from "../base/runtime.ts";
import { createTimeSlices } from "../base/time-slices.ts";
import type { ContentId } from "../domain/file-change.ts";
import { type FileLook, lookOf } from "./file-look.ts";

/** How bytes are named: by us, or by git in a repository of either kind. */
export type ContentForm = "sha256" | "git-sha1" | "git-sha256";

export function formOf(content: ContentId): ContentForm {
  if (content.startsWith("sha256:")) return "sha256";
  return content.length === "git:".length + 40 ? "git-sha1" : "git-sha256";
}

export function nameBytes(bytes: Uint8Array, form: ContentForm): ContentId {
  const naming = beginName(form, bytes.length);
  naming.add(bytes);
  return naming.end();
}

export interface NamedFile {
  readonly content: ContentId;
  /** What was read. */
  readonly look: FileLook;
}

/** null if it can't be read, is no plain file, is larger than `most`, or changed its size meanwhile. */
export async function nameFile(path: string, form: ContentForm, most: number): Promise<NamedFile | null> {
  const slices = createTimeSlices();
  return await withFile(path, async (descriptor, look) => {
    if (look.size > most) return null;
    const buffer = Buffer.allocUnsafe(Math.min(look.size + 1, PIECE_BYTES));
    const naming = beginName(form, look.size);
    let read = 0;
    for (let piece = readSync(descriptor, buffer); piece > 0; piece = readSync(descriptor, buffer)) {
      read += piece;
      if (read > look.size) return null;
      naming.add(buffer.subarray(0, piece));
      if (slices.due()) await slices.rest();
    }
    return read === look.size ? { content: naming.end(), look } : null;
  });
}

export type ReadFile =
  | { readonly type: "read"; readonly bytes: Buffer; readonly look: FileLook }
  | { readonly type: "larger" }
  | { readonly type: "unreadable" };

/** The whole file at once, for small ones: many of them are read much faster without waiting for each. */
export function readSmallFile(path: string, most: number): ReadFile {
  let descriptor: number | undefined;
  try {
    descriptor = openPlain(path);
    const look = lookOf(fstatSync(descriptor));
    if (look.kind !== "file") return { type: "unreadable" };
    if (look.size > most) return { type: "larger" };
    const bytes = Buffer.allocUnsafe(look.size + 1);
    let read = 0;
    for (let piece = -1; piece !== 0 && read <= look.size; read += piece)
      piece = readSync(descriptor, bytes, read, bytes.length - read, null);
    return read > look.size ? { type: "larger" } : { type: "read", bytes: bytes.subarray(0, read), look };
  } catch {
    // Gone, forbidden or a symlink by now.
    return { type: "unreadable" };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** null if it is no plain file, or can't be opened. */
export async function withFile<Result>(
  path: string,
  use: (descriptor: number, look: FileLook) => Promise<Result | null>,
): Promise<Result | null> {
  let descriptor: number | undefined;
  try {
    descriptor = openPlain(path);
    const look = lookOf(fstatSync(descriptor));
    return look.kind === "file" ? await use(descriptor, look) : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const PIECE_BYTES = 1024 * 1024;

function openPlain(path: string): number {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
  return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
}

interface Naming {
  readonly add: (piece: Uint8Array) => void;
  readonly end: () => ContentId;
}

function beginName(form: ContentForm, size: number): Naming {
  const hasher = newHasher(form === "git-sha1" ? "sha1" : "sha256");
  if (form !== "sha256") hasher.update(`blob ${size}\0`);
  const end = (): ContentId => `${form === "sha256" ? "sha256" : "git"}:${hasher.digest("hex")}`;
  return { add: (piece) => void hasher.update(piece), end };
}
