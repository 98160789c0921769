// The room that the stores of all sessions take together. When there is too little, the oldest session's content goes
// first, and never that of a session that somebody runs.

import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { folderNames } from "../base/folder-names.ts";
import { createTimeSlices } from "../base/time-slices.ts";
import type { ContentId } from "../domain/file-change.ts";

export interface SessionStores {
  /** Holds <session>.files/blobs of each session. */
  readonly folder: string;
  /** True for a session that somebody runs right now; `name` is what stands before `.files`. */
  readonly isRunning: (name: string) => Promise<boolean>;
}

interface OtherStore {
  readonly name: string;
  readonly blobs: string;
  readonly lastMs: number;
  readonly isRunning: boolean;
  /** The time of its folder when it was listed. */
  readonly seenMs: number;
  bytes: number;
}

/**
 * What all that run may grow together before somebody counts them again, and what is left free for that. Each counts
 * again after its part of it, but not for every file.
 */
const GROWTH_SHARE = 1 / 32;
const LEAST_GROWTH_SHARE = 1 / 256;
/** So much goes at once that it doesn't have to be done for every file. */
const REMOVED_SHARE = 1 / 32;

export class MachineRoom {
  readonly #stores: SessionStores;
  readonly #ownBlobs: string;
  readonly #mostBytes: number;
  /** Of other sessions, oldest first; null: not counted yet. */
  #others: OtherStore[] | null = null;
  #countedAtBytes = 0;

  constructor(stores: SessionStores, ownBlobs: string, mostBytes: number) {
    this.#stores = stores;
    this.#ownBlobs = ownBlobs;
    this.#mostBytes = mostBytes;
  }

  /** True if so much may be added to what this session has. */
  async makeRoom(ownBytes: number, bytes: number): Promise<boolean> {
    this.#countedAtBytes = Math.min(this.#countedAtBytes, ownBytes);
    if (this.#others === null || ownBytes + bytes > this.#countedAtBytes + this.#growth(this.#others)) {
      this.#others = await this.#count();
      this.#countedAtBytes = ownBytes;
    }
    const others = this.#others;
    const isAlone = others.every(({ isRunning }) => !isRunning);
    const most = this.#mostBytes * (isAlone ? 1 : 1 - GROWTH_SHARE);
    const excess = () => others.reduce((sum, other) => sum + other.bytes, ownBytes + bytes) - most;
    for (const other of others) {
      if (excess() <= 0) break;
      if (other.bytes > 0 && !(await this.#stores.isRunning(other.name)))
        await removeOldest(other, excess() + this.#mostBytes * REMOVED_SHARE);
    }
    return excess() <= 0;
  }

  #growth(others: readonly OtherStore[]): number {
    const running = others.filter(({ isRunning }) => isRunning).length;
    return this.#mostBytes * Math.max(GROWTH_SHARE / (running + 1), LEAST_GROWTH_SHARE);
  }

  /** Whatever is put into a store is first written right into its folder, so one that looks the same hasn't grown. */
  async #count(): Promise<OtherStore[]> {
    const found: OtherStore[] = [];
    const last = new Map(this.#others?.map((other) => [other.name, other]));
    for (const entry of folderNames(this.#stores.folder)) {
      const blobs = join(this.#stores.folder, entry, "blobs");
      if (!entry.endsWith(".files") || blobs === this.#ownBlobs) continue;
      const name = entry.slice(0, -".files".length);
      const isRunning = await this.#stores.isRunning(name);
      const seenMs = statSync(blobs, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      const known = last.get(name);
      const isSame = known?.seenMs === seenMs;
      const kept = isSame ? [] : await listBlobs(blobs);
      const bytes = isSame ? known.bytes : kept.reduce((sum, blob) => sum + blob.bytes, 0);
      const lastMs = isSame ? known.lastMs : (kept.at(-1)?.madeMs ?? 0);
      if (bytes > 0 || isRunning) found.push({ name, blobs, bytes, isRunning, seenMs, lastMs });
    }
    return found.sort((one, other) => one.lastMs - other.lastMs);
  }
}

interface KeptBlob {
  readonly content: ContentId;
  readonly path: string;
  readonly bytes: number;
  readonly madeMs: number;
}

/** What a session's store holds, oldest first. */
export async function listBlobs(blobs: string): Promise<readonly KeptBlob[]> {
  const slices = createTimeSlices();
  const found: KeptBlob[] = [];
  for (const start of folderNames(blobs).filter((name) => name.length === 2))
    for (const rest of folderNames(join(blobs, start))) {
      if (slices.due()) await slices.rest();
      const path = join(blobs, start, rest);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isFile())
        found.push({ content: `sha256:${start}${rest}`, path, bytes: stat.size, madeMs: stat.ctimeMs });
    }
  return found.sort((one, other) => one.madeMs - other.madeMs);
}

/** What a killed process left half written. */
export function removeUnfinished(blobs: string): void {
  for (const name of folderNames(blobs))
    if (name.startsWith("new-")) rmSync(join(blobs, name), { force: true });
}

async function removeOldest(other: OtherStore, excess: number): Promise<void> {
  const kept = await listBlobs(other.blobs);
  const most = other.bytes - excess;
  // Somebody else may have removed some of it.
  other.bytes = kept.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { path, bytes } of kept) {
    if (other.bytes <= most) break;
    rmSync(path, { force: true });
    other.bytes -= bytes;
  }
}
