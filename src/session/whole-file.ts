// Files that are written whole or not at all, and existing files that are kept aside for them.

import { dirname } from "node:path";
import { failureCode } from "../base/failure-code.ts";
import { type Disk, type DiskFile, ifThere, NO_LINKS, writeAll } from "./disk.ts";

type Chunks = Iterable<string> | AsyncIterable<string>;

/** A file is written under a temporary name first, so that a reader sees all of it or nothing. */
interface FilePlace {
  readonly path: string;
  readonly temporary: string;
}

/** Synced before it is renamed: a crash leaves the old file or the new one; once the folder is synced, the new one. */
export async function replaceFile(disk: Disk, { path, temporary }: FilePlace, chunks: Chunks): Promise<void> {
  await writeFile(disk, temporary, chunks, async (file) => {
    await file.sync();
    await disk.rename(temporary, path);
  });
}

/** Durable. There is no older file that the rename could lose, so the file and its folders are synced together. */
export async function newFile(
  disk: Disk,
  { path, temporary }: FilePlace,
  chunks: Chunks,
  folders: readonly string[],
): Promise<void> {
  await writeFile(disk, temporary, chunks, async (file) => {
    await disk.rename(temporary, path);
    await all([file.sync(), ...folders.map((folder) => disk.syncFolder(folder))]);
  });
}

/** Waits for all of them even if one fails: a file must not be closed during a sync. */
async function all(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((work) => work.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function writeFile(
  disk: Disk,
  temporary: string,
  chunks: Chunks,
  settle: (file: DiskFile) => Promise<void>,
): Promise<void> {
  try {
    const file = await disk.open(temporary, "replace");
    try {
      await writeChunks(file, chunks);
      await settle(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    await disk.remove(temporary);
    throw error;
  }
}

/** Many chunks share a write, but never all of them: a long session need not be in memory a second time. */
async function writeChunks(file: DiskFile, chunks: Chunks): Promise<void> {
  let text = "";
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length < WRITE_CHARACTERS) continue;
    await writeAll(file, Buffer.from(text));
    text = "";
  }
  await writeAll(file, Buffer.from(text));
}

const WRITE_CHARACTERS = 128 * 1024;

/** Renames a file to a name that nothing else has. Returns the new path. */
export async function moveAside(disk: Disk, path: string): Promise<string> {
  const aside = await asideName(disk, path);
  await disk.rename(path, aside);
  await disk.syncFolder(dirname(path));
  return aside;
}

/** The same for a file that is about to be replaced: its own name never disappears in between. */
export async function keepAside(disk: Disk, path: string): Promise<void> {
  const aside = await asideName(disk, path);
  try {
    await disk.link(path, aside);
  } catch (error) {
    if (!NO_LINKS.has(failureCode(error))) throw error;
    await disk.rename(path, aside);
  }
}

async function asideName(disk: Disk, path: string): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  for (let number = 1; ; number++) {
    const aside = `${path}.aside-${stamp}-${number}`;
    if ((await ifThere(disk.stat(aside))) === undefined) return aside;
  }
}
