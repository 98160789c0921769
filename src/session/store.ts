// All sessions of a folder: listed without reading whole files, found by a prefix of their id, deleted.

import { statSync } from "node:fs";
import { join } from "node:path";
import { failureCode } from "../base/failure-code.ts";
import { createTimeSlices } from "../base/time-slices.ts";
import type { SessionId } from "../domain/ids.ts";
import { type Disk, ifThere, nodeDisk, unlessDiskFails } from "./disk.ts";
import { type Holder, SessionTakenError } from "./journal.ts";
import { acquireLease, leaseHolder } from "./lease.ts";
import { ENDING, pathsFrom, type SessionPaths } from "./paths.ts";
import { journalHead, readSessionHead, type SessionHead, snapshotHead } from "./session-head.ts";

export interface SessionSummary extends SessionHead {
  readonly paths: SessionPaths;
  readonly modifiedMs: number;
}

export interface ListOptions {
  /** Absent: all projects. */
  readonly projectIds?: readonly string[];
  readonly limit?: number;
}

interface DatedSession {
  readonly paths: SessionPaths;
  readonly modifiedMs: number;
  readonly hasSnapshot: boolean;
}

/** Newest first, without reading any of their files. */
export async function datedSessions(
  folder: string,
  projectIds?: readonly string[],
): Promise<readonly DatedSession[]> {
  const sessions = await sessionsIn(folder);
  const wanted = sessions.filter((paths) => projectIds?.includes(paths.projectId) !== false);
  const dated = await inSlices(wanted, (paths) => {
    const snapshotMs = modifiedMs(paths.snapshot);
    return {
      paths,
      modifiedMs: Math.max(snapshotMs, modifiedMs(paths.journal)),
      hasSnapshot: snapshotMs > 0,
    };
  });
  return dated.sort((a, b) => b.modifiedMs - a.modifiedMs);
}

/** Newest first. */
export async function listSessions(folder: string, options: ListOptions = {}): Promise<SessionSummary[]> {
  const newest = (await datedSessions(folder, options.projectIds)).slice(0, options.limit);
  return inSlices(newest, ({ paths, modifiedMs, hasSnapshot }) => {
    try {
      const head = hasSnapshot
        ? snapshotHead(readSessionHead(paths.snapshot))
        : journalHead(readSessionHead(paths.journal));
      return { ...head, paths, modifiedMs };
    } catch (error) {
      // It is gone or unreadable; the list is still useful without it.
      if (failureCode(error) === "") throw error;
      return undefined;
    }
  });
}

type FoundSession =
  | { readonly type: "found"; readonly paths: SessionPaths }
  | { readonly type: "missing" }
  | { readonly type: "ambiguous"; readonly ids: readonly SessionId[] };

/** By its id, or by a prefix that no other id has. */
export async function findSession(folder: string, prefix: string): Promise<FoundSession> {
  const sessions = await sessionsIn(folder);
  const matching = sessions.filter(({ sessionId }) => sessionId.startsWith(prefix.toLowerCase()));
  const exact = matching.filter(({ sessionId }) => sessionId === prefix);
  const [paths, ...others] = exact.length > 0 ? exact : matching;
  if (paths === undefined || prefix === "") return { type: "missing" };
  if (others.length > 0) return { type: "ambiguous", ids: matching.map(({ sessionId }) => sessionId).sort() };
  return { type: "found", paths };
}

type Deleted = { readonly type: "deleted" } | { readonly type: "held"; readonly holder: Holder };

/**
 * Deletes everything that was ever kept beside it, too. Refused while a window is writing to it; meanwhile the lease is
 * ours, so that no window begins to.
 */
export async function deleteSession(paths: SessionPaths, disk: Disk = nodeDisk): Promise<Deleted> {
  const held = await leaseHolder(disk, paths.lease);
  if (held !== undefined) return { type: "held", holder: held.identity };
  try {
    // A disk that is full takes no lease, and is a reason to delete.
    const lease = await unlessDiskFails(acquireLease(disk, paths.lease));
    const prefix = `${paths.projectId}_${paths.sessionId}.`;
    for (const name of await disk.list(paths.folder)) {
      const path = join(paths.folder, name);
      if (name.startsWith(prefix) && path !== paths.lease) await disk.remove(path);
    }
    if (lease === undefined) await disk.remove(paths.lease);
    else await lease.release();
  } catch (error) {
    if (error instanceof SessionTakenError) return { type: "held", holder: error.holder };
    throw error;
  }
  return { type: "deleted" };
}

function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Each session once, although it has two files. */
async function sessionsIn(folder: string): Promise<SessionPaths[]> {
  const files = ((await ifThere(nodeDisk.list(folder))) ?? []).filter((file) => ENDING.test(file));
  const stems = new Set(files.map((file) => join(folder, file.replace(ENDING, ""))));
  return [...stems].map(pathsFrom).filter(({ sessionId }) => sessionId !== "");
}

/** With pauses: thousands of sessions must not block the screen. */
async function inSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result | undefined,
): Promise<Result[]> {
  const results: Result[] = [];
  const slices = createTimeSlices();
  for (const item of items) {
    const result = work(item);
    if (result !== undefined) results.push(result);
    if (slices.due()) await slices.rest();
  }
  return results;
}
