// Gives a file its name in a folder, unless somebody has taken the name meanwhile.

import { closeSync, constants, openSync, readSync } from "node:fs";
import { failureCode } from "../base/failure-code.ts";
import type { OpenFolder } from "./open-folder.ts";
import type { RestoreCalls } from "./restore-calls.ts";

const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
const TAKEN = new Set(["EEXIST", "ENOTEMPTY", "ENOTDIR", "EISDIR"]);
const PIECE_BYTES = 1024 * 1024;

/** Returns false if the name is taken; then nothing has changed. */
export function putInPlace(calls: RestoreCalls, folder: OpenFolder, current: string, name: string): boolean {
  const [from, to] = [folder.at(current), folder.at(name)];
  const stat = calls.lstatSync(from);
  try {
    // A folder has only one name. It replaces nothing but an empty folder.
    if (stat.isDirectory()) {
      calls.renameSync(from, to);
      return true;
    }
    // On some systems a second name of a symlink would be one of what it leads to.
    if (stat.isSymbolicLink()) calls.symlinkSync(calls.readlinkSync(from), to);
    else linkOrCopy(calls, from, to);
  } catch (error) {
    if (TAKEN.has(failureCode(error))) return false;
    throw error;
  }
  calls.unlinkSync(from);
  return true;
}

function linkOrCopy(calls: RestoreCalls, from: string, to: string): void {
  try {
    calls.linkSync(from, to);
  } catch (error) {
    if (!NO_LINKS.has(failureCode(error))) throw error;
    const source = openToRead(from);
    try {
      copyNew(calls, source, to);
    } finally {
      closeSync(source);
    }
  }
}

/**
 * For file systems without hard links. Others see the file grow there, and a process that is killed leaves the
 * beginning of it, which is completed the next time.
 */
export function copyNew(calls: RestoreCalls, source: number, to: string): void {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const begun = beginningOf(source, to);
  const flags = begun === null ? O_WRONLY | O_CREAT | O_EXCL : O_WRONLY | O_NOFOLLOW;
  const target = calls.openSync(to, flags, 0o600);
  try {
    const buffer = new Uint8Array(PIECE_BYTES);
    let position = begun ?? 0;
    for (let read = -1; read !== 0; position += read) {
      read = readSync(source, buffer, 0, buffer.length, position);
      for (let written = 0; written < read; )
        written += calls.writeSync(target, buffer, written, read - written, position + written);
    }
    calls.fchmodSync(target, calls.fstatSync(source).mode & 0o7777);
  } finally {
    calls.closeSync(target);
  }
}

/** How many bytes of it are there already; null if something else is there, or nothing. */
function beginningOf(source: number, path: string): number | null {
  let found: number | undefined;
  try {
    found = openToRead(path);
    const [one, other] = [new Uint8Array(PIECE_BYTES), new Uint8Array(PIECE_BYTES)];
    for (let position = 0; ; ) {
      const read = readSync(found, one, 0, one.length, position);
      if (read === 0) return position;
      if (readSync(source, other, 0, read, position) < read) return null;
      if (Buffer.compare(one.subarray(0, read), other.subarray(0, read)) !== 0) return null;
      position += read;
    }
  } catch {
    return null;
  } finally {
    if (found !== undefined) closeSync(found);
  }
}

function openToRead(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}
