// Counts what is kept for a session, and finds what is no longer the bytes that its name says.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { hashFile } from "./content-store.ts";

export interface StoreCount {
  readonly files: number;
  readonly bytes: number;
}

/** `folder` holds the blobs; it need not exist. */
export async function countStore(folder: string): Promise<StoreCount> {
  let files = 0;
  let bytes = 0;
  for await (const { path } of blobsIn(folder)) {
    files++;
    // One that is gone by now takes no room.
    bytes += (await stat(path).catch(() => null))?.size ?? 0;
  }
  return { files, bytes };
}

/** Their paths. An abort ends it early, with what was found by then. */
export async function damagedBlobs(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const damaged: string[] = [];
  for await (const { path, hex } of blobsIn(folder)) {
    if (signal.aborted) break;
    const content = await hashFile(path, Infinity).then(
      (hashed) => hashed.content,
      () => null,
    );
    if (content !== `sha256:${hex}`) damaged.push(path);
  }
  return damaged;
}

export async function removeBlobs(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
}

async function* blobsIn(folder: string): AsyncGenerator<{ readonly path: string; readonly hex: string }> {
  for (const start of await namesIn(folder)) {
    if (!/^[0-9a-f]{2}$/.test(start)) continue;
    for (const rest of await namesIn(join(folder, start)))
      yield { path: join(folder, start, rest), hex: start + rest };
  }
}

/** What isn't there holds nothing. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
