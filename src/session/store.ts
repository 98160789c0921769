// All sessions of a folder: listed without reading whole files, found by the beginning of their id, deleted.
import { statSync } from "node:fs";
import { join } from "node:path";
import type { SessionId } from "../domain/ids.ts";
import { type Disk, diskErrorCode, nodeDisk } from "./disk.ts";
import { type Holder, leaseHolder } from "./lease.ts";
import { type SessionPaths, sessionNameOf, sessionPaths } from "./paths.ts";
import { journalHead, readSessionHead, type SessionHead, snapshotHead } from "./session-head.ts";

export interface SessionSummary extends SessionHead {
  readonly paths: SessionPaths;
  readonly modifiedMs: number;
}

export interface ListOptions {
  /** Absent: all projects. */
  readonly projectId?: string;
  readonly limit?: number;
}

/** Between two pauses: thousands of sessions must not hold up a screen. */
const SLICE_MS = 8;

/** Newest first. */
export async function listSessions(folder: string, options: ListOptions = {}): Promise<SessionSummary[]> {
  const found = await findAll(folder, options.projectId);
  const newest = found.sort((a, b) => b.modifiedMs - a.modifiedMs).slice(0, options.limit);
  return inSlices(newest, ({ paths, modifiedMs, hasSnapshot }) => {
    try {
      const head = hasSnapshot
        ? snapshotHead(readSessionHead(paths.snapshot))
        : journalHead(readSessionHead(paths.journal));
      return { ...head, paths, modifiedMs };
    } catch (error) {
      // Gone, or unreadable: the list is still useful without it.
      if (diskErrorCode(error) === "") throw error;
      return undefined;
    }
  });
}

export type FoundSession =
  | { readonly type: "found"; readonly paths: SessionPaths }
  | { readonly type: "missing" }
  | { readonly type: "ambiguous"; readonly ids: readonly SessionId[] };

/** By its id or a beginning of it that no other has. */
export async function findSession(folder: string, prefix: string): Promise<FoundSession> {
  const names = [...(await sessionNames(folder)).values()];
  const matching = names.filter(({ sessionId }) => sessionId.startsWith(prefix.toLowerCase()));
  const [only, ...others] = matching.some((name) => name.sessionId === prefix)
    ? matching.filter((name) => name.sessionId === prefix)
    : matching;
  if (only === undefined || prefix === "") return { type: "missing" };
  if (others.length > 0) return { type: "ambiguous", ids: matching.map((name) => name.sessionId).sort() };
  return { type: "found", paths: sessionPaths(folder, only.projectId, only.sessionId) };
}

export type Deleted = { readonly type: "deleted" } | { readonly type: "held"; readonly holder: Holder };

/** With everything that was ever kept beside it. Not while a window is writing to it. */
export async function deleteSession(paths: SessionPaths, disk: Disk = nodeDisk): Promise<Deleted> {
  const held = await leaseHolder(disk, paths.lease);
  if (held !== undefined) return { type: "held", holder: held.identity };
  const prefix = `${paths.projectId}_${paths.sessionId}.`;
  for (const name of await disk.list(paths.folder))
    if (name.startsWith(prefix)) await disk.remove(join(paths.folder, name));
  return { type: "deleted" };
}

interface Found {
  readonly paths: SessionPaths;
  readonly modifiedMs: number;
  readonly hasSnapshot: boolean;
}

async function findAll(folder: string, projectId: string | undefined): Promise<Found[]> {
  const names = [...(await sessionNames(folder)).values()];
  const wanted = projectId === undefined ? names : names.filter((name) => name.projectId === projectId);
  return inSlices(wanted, (name) => {
    const paths = sessionPaths(folder, name.projectId, name.sessionId);
    const snapshot = name.endings.has(".json") ? modifiedMs(paths.snapshot) : 0;
    const journal = name.endings.has(".jsonl") ? modifiedMs(paths.journal) : 0;
    return { paths, modifiedMs: Math.max(snapshot, journal), hasSnapshot: snapshot > 0 };
  });
}

function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

interface SessionName {
  readonly projectId: string;
  readonly sessionId: SessionId;
  readonly endings: Set<string>;
}

async function sessionNames(folder: string): Promise<Map<string, SessionName>> {
  const found = new Map<string, SessionName>();
  for (const file of await filesIn(folder)) {
    const name = sessionNameOf(file);
    if (name === undefined) continue;
    const known = found.get(name.sessionId + name.projectId) ?? { ...name, endings: new Set() };
    known.endings.add(file.endsWith(".json") ? ".json" : ".jsonl");
    found.set(name.sessionId + name.projectId, known);
  }
  return found;
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await nodeDisk.list(folder);
  } catch (error) {
    if (diskErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function inSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result | undefined,
): Promise<Result[]> {
  const results: Result[] = [];
  let started = performance.now();
  for (const item of items) {
    const result = work(item);
    if (result !== undefined) results.push(result);
    if (performance.now() - started < SLICE_MS) continue;
    await new Promise(setImmediate);
    started = performance.now();
  }
  return results;
}
