// The file system as the session room needs it: a port, so that tests can kill, cut, fail and trace at every
// single operation. Nothing here decides anything.
import * as fs from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** What we write is a person's conversation: theirs alone. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface Disk {
  /** `new`: must not exist yet; `append`: made if missing; `replace`: emptied. */
  readonly open: (path: string, how: "new" | "append" | "replace") => Promise<DiskFile>;
  readonly read: (path: string, from?: number) => Promise<Buffer>;
  readonly stat: (path: string) => Promise<FileFacts>;
  readonly list: (folder: string) => Promise<string[]>;
  /** With its parents, those that are missing. */
  readonly makeFolder: (folder: string) => Promise<void>;
  /** For its owner alone, whoever made it. */
  readonly restrict: (folder: string) => Promise<void>;
  readonly syncFolder: (folder: string) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  /** A second name for the same file. */
  readonly link: (existing: string, name: string) => Promise<void>;
  /** A short text under a new name, both at once; fails with EEXIST where the name is taken. */
  readonly makeMark: (path: string, text: string) => Promise<void>;
  /** Before every write, so without reading it. */
  readonly hasMark: (path: string) => Promise<boolean>;
  readonly readMark: (path: string) => Promise<{ readonly text: string; readonly modifiedMs: number }>;
  readonly touchMark: (path: string) => Promise<void>;
  /** A file or a whole folder; fine if there is none. */
  readonly remove: (path: string) => Promise<void>;
  /** Only if nothing is in it. */
  readonly removeFolder: (folder: string) => Promise<void>;
}

export interface DiskFile {
  /** How many bytes were taken, which may be fewer than given. */
  readonly write: (bytes: Uint8Array) => Promise<number>;
  readonly sync: () => Promise<void>;
  readonly facts: () => Promise<FileFacts>;
  readonly close: () => Promise<void>;
}

export interface FileFacts {
  readonly size: number;
  readonly inode: number;
  readonly modifiedMs: number;
}

const FLAGS = { new: "wx", append: "a", replace: "w" } as const;

/**
 * What only touches names, and small writes, are done at once: they take microseconds, while the way through the
 * thread pool takes milliseconds on a busy machine. Reading, large writes and syncing wait, and so go that way.
 */
export const nodeDisk: Disk = {
  open: async (path, how) => diskFile(fs.openSync(path, FLAGS[how], FILE_MODE)),
  read: readFrom,
  stat: async (path) => facts(fs.statSync(path)),
  list: async (folder) => fs.readdirSync(folder),
  makeFolder: async (folder) => void fs.mkdirSync(folder, { recursive: true, mode: FOLDER_MODE }),
  restrict,
  syncFolder,
  rename: async (from, to) => fs.renameSync(from, to),
  link: async (existing, name) => fs.linkSync(existing, name),
  makeMark,
  hasMark,
  readMark,
  touchMark: async (path) => fs.lutimesSync(path, new Date(), new Date()),
  remove: (path) => rm(path, { recursive: true, force: true }),
  removeFolder: async (folder) => fs.rmdirSync(folder),
};

/** The code of a failed file operation (ENOENT, ENOSPC, ...), or "" for anything else. */
export function diskErrorCode(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/** All of the bytes, however many writes that takes; each says how many it took. */
export async function writeAll(
  file: DiskFile,
  bytes: Uint8Array,
  onTaken: (taken: number) => void = () => {},
): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const taken = await file.write(bytes.subarray(written));
    onTaken(taken);
    written += taken;
  }
}

export type Chunks = Iterable<string> | AsyncIterable<string>;

/** A file that is written under another name first: a reader sees all of it or nothing. */
export interface Place {
  readonly path: string;
  readonly temporary: string;
}

/**
 * Whole and synced before it is renamed: after a crash there is the old file or the new one. Which of them is certain
 * only once the folder is synced.
 */
export async function replaceFile(disk: Disk, { path, temporary }: Place, chunks: Chunks): Promise<void> {
  await writeFile(disk, temporary, chunks, async (file) => {
    await file.sync();
    await disk.rename(temporary, path);
  });
}

/** Where there was none, and durable: nothing can be lost by the rename, so file and folders are synced at once. */
export async function newFile(disk: Disk, { path, temporary }: Place, chunks: Chunks): Promise<void> {
  const folder = dirname(path);
  await writeFile(disk, temporary, chunks, async (file) => {
    await disk.rename(temporary, path);
    // The folder itself may be new.
    await all([file.sync(), disk.syncFolder(folder), disk.syncFolder(dirname(folder))]);
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
/** More than nearly every record has. */
const SMALL_WRITE = 64 * 1024;

/** By number: a FileHandle that nobody closed ends the process when it is collected as garbage. */
function diskFile(file: number): DiskFile {
  return {
    write: async (bytes) =>
      bytes.length <= SMALL_WRITE
        ? fs.writeSync(file, bytes)
        : await called((done) => fs.write(file, bytes, done)),
    sync: () => called<void>((done) => fs.fdatasync(file, (error) => done(error, undefined))),
    facts: async () => facts(fs.fstatSync(file)),
    close: async () => fs.closeSync(file),
  };
}

type Done<Value> = (error: Error | null, value: Value) => void;

/** node:util's promisify would load that whole module. */
function called<Value>(call: (done: Done<Value>) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error === null ? resolve(value) : reject(error)));
  });
}

function facts(stats: { size: number; ino: number; mtimeMs: number }): FileFacts {
  return { size: stats.size, inode: stats.ino, modifiedMs: stats.mtimeMs };
}

/** A file system that has no links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** As a symbolic link to nowhere: one call, and never half there. */
async function makeMark(path: string, text: string): Promise<void> {
  try {
    fs.symlinkSync(text, path);
  } catch (error) {
    if (!NO_LINKS.has(diskErrorCode(error))) throw error;
    // Then a reader may see the name before the text.
    fs.writeFileSync(path, text, { flag: "wx", mode: FILE_MODE });
  }
}

async function hasMark(path: string): Promise<boolean> {
  try {
    fs.lstatSync(path);
    return true;
  } catch (error) {
    if (diskErrorCode(error) === "ENOENT") return false;
    throw error;
  }
}

async function readMark(path: string): Promise<{ text: string; modifiedMs: number }> {
  const { mtimeMs: modifiedMs } = fs.lstatSync(path);
  try {
    return { text: fs.readlinkSync(path), modifiedMs };
  } catch (error) {
    if (diskErrorCode(error) !== "EINVAL") throw error;
    return { text: fs.readFileSync(path, "utf8"), modifiedMs };
  }
}

async function readFrom(path: string, from = 0): Promise<Buffer> {
  if (from === 0) return readFile(path);
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.allocUnsafe(Math.max(0, size - from));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

async function restrict(folder: string): Promise<void> {
  try {
    fs.chmodSync(folder, FOLDER_MODE);
  } catch (error) {
    // Not ours to restrict: doctor says so.
    if (diskErrorCode(error) !== "EPERM") throw error;
  }
}

/** Folders that can't be read, and file systems that can't sync one: there is nothing more that could be done. */
const NO_FOLDER_SYNC = new Set(["EACCES", "EPERM", "EINVAL", "EISDIR", "ENOTSUP", "EOPNOTSUPP", "EBADF"]);

/** A new name is durable only once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const file = fs.openSync(folder, "r");
    try {
      await called<void>((done) => fs.fsync(file, (error) => done(error, undefined)));
    } finally {
      fs.closeSync(file);
    }
  } catch (error) {
    if (!NO_FOLDER_SYNC.has(diskErrorCode(error))) throw error;
  }
}

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
    if ((await statIfThere(disk, aside)) === undefined) return aside;
  }
}

export async function statIfThere(disk: Disk, path: string): Promise<FileFacts | undefined> {
  try {
    return await disk.stat(path);
  } catch (error) {
    if (diskErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
