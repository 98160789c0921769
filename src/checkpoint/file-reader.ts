// Finds out what a file's bytes are, and puts them into the store if nothing else has them.
import { accessSync, constants } from "node:fs";
import type { ContentId } from "../domain/file-change.ts";
import { type ContentStore, FIRST_SHARE, type StoreCaps } from "./content-store.ts";
import { formOf, nameBytes, nameFile, readSmallFile } from "./file-bytes.ts";
import { type FileLook, lookAt } from "./file-look.ts";
import type { Uncovered } from "./tracking.ts";

export interface FileReading {
  /** As it was when it was read; null if it couldn't be. */
  readonly look: FileLook | null;
  readonly content: ContentId | null;
  /** Why its bytes can't be had later. */
  readonly why: Uncovered["why"] | null;
}

/** `later`: only named. `first`: at the first look, which must leave room for what changes. */
export type Keeping = "now" | "later" | "first";

/** A larger file is not read at once, and shares its room on the disk with its copy where the disk can. */
const SMALL_BYTES = 128 * 1024;
/** A file that is too large to be kept may be one that git has. */
const MOST_COMPARED_BYTES = 64 * 1024 * 1024;

/** `likely` is what it may be; git has those of git's, so they are not kept. */
export async function readContent(
  path: string,
  likely: readonly ContentId[],
  keeping: Keeping,
  store: ContentStore,
): Promise<FileReading> {
  const small = readSmallFile(path, SMALL_BYTES);
  if (small.type === "unreadable") return { look: null, content: null, why: "unreadable" };
  if (small.type === "larger") return await readLarge(path, likely, keeping, store);
  const { bytes, look } = small;
  const known = likely.find(
    (content) => content.startsWith("git:") && nameBytes(bytes, formOf(content)) === content,
  );
  if (known !== undefined) return { look, content: known, why: null };
  if (keeping === "later") return { look, content: nameBytes(bytes, "sha256"), why: null };
  const put = await store.putBytes(bytes, keeping === "first");
  return { look, content: put.content, why: put.why };
}

async function readLarge(
  path: string,
  likely: readonly ContentId[],
  keeping: Keeping,
  store: ContentStore,
): Promise<FileReading> {
  for (const content of likely) {
    if (!content.startsWith("git:")) continue;
    const named = await nameFile(path, formOf(content), MOST_COMPARED_BYTES);
    if (named?.content === content) return { ...named, why: null };
  }
  const named = await nameFile(path, "sha256", store.caps.fileBytes);
  if (named === null) {
    const isTooLarge = (lookAt(path)?.size ?? 0) > store.caps.fileBytes;
    return { look: null, content: null, why: isTooLarge ? "too large" : "unreadable" };
  }
  if (keeping === "later" || store.has(named.content)) return { ...named, why: null };
  const put = await store.putFile(path, keeping === "first");
  // It may have changed since it was named; then its copy counts, and the next look finds it.
  return { look: named.look, content: put.content ?? named.content, why: put.why };
}

/** What `readContent` would say of a file at the first look, without reading it. */
export function foresee(
  path: string,
  size: number,
  keptBytes: number,
  { fileBytes, sessionBytes }: StoreCaps,
): Uncovered["why"] | null {
  if (size > fileBytes) return "too large";
  try {
    accessSync(path, constants.R_OK);
  } catch {
    return "unreadable";
  }
  return keptBytes + size > sessionBytes * FIRST_SHARE ? "no room" : null;
}
