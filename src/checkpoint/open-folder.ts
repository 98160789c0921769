// A folder of the project, held open while something in it is changed: whatever anybody does to the way there, nothing
// is reached through a symlink or outside the project.

import { constants } from "node:fs";
import { failureCode } from "../base/failure-code.ts";
import { isWithin } from "../base/real-path.ts";
import type { RestoreCalls } from "./restore-calls.ts";
import type { ProjectFiles } from "./tracking.ts";

export interface OpenFolder {
  /** A path that leads to this very folder, wherever it is by now. */
  readonly itself: string;
  readonly at: (name: string) => string;
  /** It is still where it was when it was opened. */
  readonly isInPlace: () => boolean;
  readonly close: () => void;
}

/** Opens without the right to read; Node doesn't name it. */
const O_PATH = 0o10000000;

/** `folder` is absolute. Throws ENOENT if it is missing, and ENOTDIR if something else is there or on the way. */
export function openFolder(calls: RestoreCalls, folder: string): OpenFolder {
  return process.platform === "linux" ? openByDescriptor(calls, folder) : openByPath(calls, folder);
}

/** Node has no openat, but the kernel takes a name below /proc/self/fd/N to be in the folder that N stands for. */
function openByDescriptor(calls: RestoreCalls, folder: string): OpenFolder {
  const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const descriptor = calls.openSync(folder, flags);
  const itself = `/proc/self/fd/${descriptor}`;
  const opened: OpenFolder = {
    itself,
    at: (name) => `${itself}/${name}`,
    isInPlace: () => calls.readlinkSync(itself) === folder,
    close: () => calls.closeSync(descriptor),
  };
  return inPlace(opened, folder);
}

/** As good as it gets elsewhere: somebody who swaps folders within microseconds is not noticed. */
function openByPath(calls: RestoreCalls, folder: string): OpenFolder {
  const { ino, dev } = calls.lstatSync(folder);
  const opened: OpenFolder = {
    itself: folder,
    at: (name) => `${folder}/${name}`,
    isInPlace: () => {
      const now = calls.lstatSync(folder, { throwIfNoEntry: false });
      const isSame = now?.isDirectory() === true && now.ino === ino && now.dev === dev;
      return isSame && calls.realpathSync.native(folder) === folder;
    },
    close: () => {},
  };
  return inPlace(opened, folder);
}

function inPlace(opened: OpenFolder, folder: string): OpenFolder {
  try {
    if (opened.isInPlace()) return opened;
    throw Object.assign(new Error(`The way to ${folder} leads through a symlink.`), { code: "ENOTDIR" });
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** Never that of what a symlink leads to. */
export function changeMode(calls: RestoreCalls, path: string, mode: number): void {
  if (process.platform !== "linux") {
    if (!calls.lstatSync(path).isSymbolicLink()) calls.chmodSync(path, mode);
    return;
  }
  const descriptor = calls.openSync(path, O_PATH | constants.O_NOFOLLOW);
  try {
    calls.chmodSync(`/proc/self/fd/${descriptor}`, mode);
  } finally {
    calls.closeSync(descriptor);
  }
}

export interface ProjectPlace {
  /** Absolute. */
  readonly folder: string;
  readonly name: string;
}

/** Where a path of a change is; null if that is not in the project, or belongs to git. */
export function projectPlaceOf({ root, addedFolders }: ProjectFiles, path: string): ProjectPlace | null {
  const absolute = path.startsWith("/") ? path : `${root}/${path}`;
  const base = [root, ...addedFolders()].find((folder) => absolute !== folder && isWithin(absolute, folder));
  if (base === undefined) return null;
  const names = absolute.slice(base === "/" ? 1 : base.length + 1).split("/");
  const isStrange = (name: string) =>
    ["", ".", "..", ".git"].includes(name.toLowerCase()) || name.includes("\0");
  if (names.some(isStrange)) return null;
  const cut = absolute.lastIndexOf("/");
  return { folder: absolute.slice(0, cut) || "/", name: absolute.slice(cut + 1) };
}

/** It, or a folder on the way to it, is missing. */
export function isMissing(error: unknown): boolean {
  return failureCode(error) === "ENOENT";
}

/** Something on the way is no folder. */
export function isBlocked(error: unknown): boolean {
  return ["ENOTDIR", "ELOOP"].includes(failureCode(error));
}
