// The file system as the session room needs it: a port, so that tests can kill, cut, fail and trace at every
// single operation.

import * as fs from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { failureCode } from "../base/failure-code.ts";

/** A conversation is private: only its owner may read it. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface Disk {
  /** `new` fails if the file exists; `append` creates it if it is missing; `replace` empties it. */
  readonly open: (path: string, how: "new" | "append" | "replace") => Promise<DiskFile>;
  readonly read: (path: string, from?: number) => Promise<Buffer>;
  readonly stat: (path: string) => Promise<FileFacts>;
  readonly list: (folder: string) => Promise<string[]>;
  /** Creates missing parents, too. */
  readonly makeFolder: (folder: string) => Promise<"made" | "was there">;
  /** Only its owner may enter, whoever made it. */
  readonly restrict: (folder: string) => Promise<void>;
  readonly syncFolder: (folder: string) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  /** A second name for the same file. */
  readonly link: (existing: string, name: string) => Promise<void>;
  /** Creates a short text under a new name in one step; fails with EEXIST where the name is taken. */
  readonly makeMark: (path: string, text: string) => Promise<void>;
  readonly readMark: (path: string) => Promise<{ readonly text: string; readonly modifiedMs: number }>;
  readonly touchMark: (path: string) => Promise<void>;
  /** A file or a whole folder; a no-op if it is missing. */
  readonly remove: (path: string) => Promise<void>;
  /** Fails unless it is empty. */
  readonly removeFolder: (folder: string) => Promise<void>;
}

export interface DiskFile {
  /** Returns how many bytes were written, which may be fewer than given. */
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
 * Small writes and whatever only touches names are synchronous: they take microseconds, and the thread pool of a busy
 * machine takes milliseconds. Reads, large writes and syncs may block, so they go through the pool.
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
  readMark,
  touchMark: async (path) => fs.lutimesSync(path, new Date(), new Date()),
  remove: (path) => rm(path, { recursive: true, force: true }),
  removeFolder: async (folder) => fs.rmdirSync(folder),
};

/** Writes all of the bytes, however many writes that takes, and reports what each of them took. */
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

/** Nearly every record is shorter. */
const SMALL_WRITE = 64 * 1024;

/** A file descriptor, because an unclosed FileHandle ends the process when it is garbage-collected. */
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

/** How a file system without links refuses to make one. */
export const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** A dangling symlink whose target is the text: one call creates it whole. */
async function makeMark(path: string, text: string): Promise<void> {
  try {
    fs.symlinkSync(text, path);
  } catch (error) {
    if (!NO_LINKS.has(failureCode(error))) throw error;
    // Here a reader may see the name before the text.
    fs.writeFileSync(path, text, { flag: "wx", mode: FILE_MODE });
  }
}

async function readMark(path: string): Promise<{ text: string; modifiedMs: number }> {
  const { mtimeMs: modifiedMs } = fs.lstatSync(path);
  try {
    return { text: fs.readlinkSync(path), modifiedMs };
  } catch (error) {
    if (failureCode(error) !== "EINVAL") throw error;
    return { text: fs.readFileSync(path, "utf8"), modifiedMs };
  }
}

async function readFrom(path: string, from = 0): Promise<Buffer> {
  if (from === 0) return readFile(path);
  const file = fs.openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(Math.max(0, fs.fstatSync(file).size - from));
    const read = (done: Done<number>) => fs.read(file, bytes, 0, bytes.length, from, done);
    return bytes.subarray(0, await called(read));
  } finally {
    fs.closeSync(file);
  }
}

async function restrict(folder: string): Promise<void> {
  try {
    fs.chmodSync(folder, FOLDER_MODE);
  } catch (error) {
    // It belongs to somebody else: doctor says so.
    if (failureCode(error) !== "EPERM") throw error;
  }
}

/** The folder can't be read, or the file system can't sync folders: nothing more can be done. */
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
    if (!NO_FOLDER_SYNC.has(failureCode(error))) throw error;
  }
}

/** Undefined where there is no such file. */
export async function ifThere<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (failureCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Undefined where the disk fails; any other error is thrown. */
export async function unlessDiskFails<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (failureCode(error) === "") throw error;
    return undefined;
  }
}
