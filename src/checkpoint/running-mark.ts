// Where a process that follows a session has its own files, in <session>.files: what is left of them after a kill tells
// the next process what happened. Each has a folder of its own, because another window may take the session over from
// one that is stopped and wakes up later.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { folderNames } from "../base/folder-names.ts";

/** `files`: <session>.files. */
export function newRunFolder(files: string): string {
  return join(files, "runs", crypto.randomUUID());
}

export function runFolders(files: string): readonly string[] {
  return folderNames(join(files, "runs")).map((name) => join(files, "runs", name));
}

/** By whoever has the session now. */
export function removeRunFolders(files: string): void {
  try {
    rmSync(join(files, "runs"), { recursive: true, force: true });
  } catch {
    // The disk forbids it. The next time may be able to.
  }
}

/** It is there while a call may write. */
export function runningMark(run: string): string {
  return join(run, "running-call");
}

export function hasRunningCall(files: string): boolean {
  return runFolders(files).some((run) => existsSync(runningMark(run)));
}
