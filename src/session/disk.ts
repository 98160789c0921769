// The file system as the session room needs it: a port, so that tests can kill, cut, fail and trace at every
// single operation. Nothing here decides anything.
import * as fs from "node:fs";
import { open, readFile, rm } from "node:fs/promises";

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
  readonly makeFolder: (folder: string) => Promise<"made" | "was there">;
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
  makeFolder: async (folder) =>
    fs.mkdirSync(folder, { recursive: true, mode: FOLDER_MODE }) === undefined ? "was there" : "made",
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
export const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

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

export async function statIfThere(disk: Disk, path: string): Promise<FileFacts | undefined> {
  try {
    return await disk.stat(path);
  } catch (error) {
    if (diskErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
