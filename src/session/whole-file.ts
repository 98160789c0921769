// Files that are written whole or not at all, and files that make way for them without ever being lost.
import { dirname } from "node:path";
import { type Disk, type DiskFile, diskErrorCode, ifThere, NO_LINKS, writeAll } from "./disk.ts";

export type Chunks = Iterable<string> | AsyncIterable<string>;

/** A file that is written under another name first: a reader sees all of it or nothing. */
export interface FilePlace {
  readonly path: string;
  readonly temporary: string;
}

/**
 * Whole and synced before it is renamed: after a crash there is the old file or the new one. Which of them is certain
 * only once the folder is synced.
 */
export async function replaceFile(disk: Disk, { path, temporary }: FilePlace, chunks: Chunks): Promise<void> {
  await writeFile(disk, temporary, chunks, async (file) => {
    await file.sync();
    await disk.rename(temporary, path);
  });
}

/** Where there was none, and durable: nothing can be lost by the rename, so file and folders are synced at once. */
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

/** Waits for each of them, also when one fails: a file must not be closed under a sync. */
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

/** Through one buffer: a file may be as long as all of a session, which need not be in memory once more. */
async function writeChunks(file: DiskFile, chunks: Chunks): Promise<void> {
  const buffer = Buffer.allocUnsafe(WRITE_BUFFER);
  let filled = 0;
  const flush = async () => {
    await writeAll(file, buffer.subarray(0, filled));
    filled = 0;
  };
  for await (const chunk of chunks) {
    const most = chunk.length * MOST_BYTES;
    if (filled + most > buffer.length) await flush();
    if (most > buffer.length) await writeAll(file, Buffer.from(chunk));
    else filled += buffer.write(chunk, filled);
  }
  await flush();
}

/** Of a character in UTF-8, as JavaScript counts characters. */
const MOST_BYTES = 3;

const WRITE_BUFFER = 256 * 1024;

/** Out of the way under a name of its own, never over anything. Returns the new path. */
export async function moveAside(disk: Disk, path: string): Promise<string> {
  const aside = await asideName(disk, path);
  await disk.rename(path, aside);
  await disk.syncFolder(dirname(path));
  return aside;
}

/** The same for a file that is about to be replaced: at no moment is there none. */
export async function keepAside(disk: Disk, path: string): Promise<void> {
  const aside = await asideName(disk, path);
  try {
    await disk.link(path, aside);
  } catch (error) {
    if (!NO_LINKS.has(diskErrorCode(error))) throw error;
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
