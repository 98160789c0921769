// Which sessions a person's limits leave no place for. Nobody's session is deleted without such a limit.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createTimeSlices } from "../base/time-slices.ts";
import type { SessionId } from "../domain/ids.ts";
import { ifThere, nodeDisk } from "./disk.ts";
import { leaseHolder } from "./lease.ts";
import type { SessionPaths } from "./paths.ts";
import { datedSessions, deleteSession } from "./store.ts";

export interface Retention {
  /** Since its last use. */
  readonly days?: number;
  /** Of all projects together. */
  readonly count?: number;
  readonly bytes?: number;
}

export interface SurplusSession {
  readonly paths: SessionPaths;
  readonly modifiedMs: number;
  readonly over: keyof Retention;
}

interface RetentionScope {
  /** The session that is just being opened. It counts as the newest, also before it has a file. */
  readonly own?: SessionId;
  /** Sessions that stay, whatever the limits say. */
  readonly isKept: (paths: SessionPaths) => boolean;
  /** Ends the search; what was found by then counts. */
  readonly signal: AbortSignal;
}

const DAY_MS = 86_400_000;

export function isLimited({ days, count, bytes }: Retention): boolean {
  return days !== undefined || count !== undefined || bytes !== undefined;
}

/** Oldest first. What runs is never among them, but counts. */
export async function surplusSessions(
  folder: string,
  { days = Infinity, count = Infinity, bytes = Infinity }: Retention,
  { own, isKept, signal }: RetentionScope,
): Promise<readonly SurplusSession[]> {
  const surplus: SurplusSession[] = [];
  const oldest = Date.now() - days * DAY_MS;
  let number = own === undefined ? 0 : 1;
  let size = 0;
  for (const { paths, modifiedMs } of await datedSessions(folder)) {
    if (signal.aborted) break;
    const isOwn = paths.sessionId === own;
    if (!isOwn) number++;
    // Counting the bytes means reading folders, so it is done only for a limit.
    if (bytes !== Infinity) size += await sizeOf(paths, signal);
    const over = modifiedMs < oldest ? "days" : number > count ? "count" : size > bytes ? "bytes" : null;
    if (over === null || isOwn || isKept(paths)) continue;
    if ((await leaseHolder(nodeDisk, paths.lease)) === undefined) surplus.push({ paths, modifiedMs, over });
  }
  return surplus.reverse();
}

/** Returns those that are gone now. One that somebody opens meanwhile stays. */
export async function deleteSurplus(
  folder: string,
  retention: Retention,
  scope: RetentionScope,
): Promise<readonly SurplusSession[]> {
  const deleted: SurplusSession[] = [];
  for (const session of await surplusSessions(folder, retention, scope)) {
    if (scope.signal.aborted) break;
    if ((await deleteSession(session.paths)).type === "deleted") deleted.push(session);
  }
  return deleted;
}

/** Of everything that is kept for it. */
export async function sizeOf(
  { snapshot, journal, files }: SessionPaths,
  signal: AbortSignal,
): Promise<number> {
  const sizes = await Promise.all([snapshot, journal].map(fileSize));
  return sizes.reduce((sum, each) => sum + each, await folderSize(files, signal));
}

async function folderSize(folder: string, signal: AbortSignal): Promise<number> {
  const slices = createTimeSlices();
  const waiting = [folder];
  let size = 0;
  for (let current = waiting.pop(); current !== undefined && !signal.aborted; current = waiting.pop()) {
    for (const entry of (await ifThere(readdir(current, { withFileTypes: true }))) ?? []) {
      const path = join(current, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else size += await fileSize(path);
      if (slices.due()) await slices.rest();
    }
  }
  return size;
}

async function fileSize(path: string): Promise<number> {
  return (await ifThere(lstat(path)))?.size ?? 0;
}
