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
  bytes: number;
}

/** Others grow, too, so they are counted again after so much of our own. */
const RECOUNT_SHARE = 1 / 16;
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
    if (this.#others === null || ownBytes > this.#countedAtBytes + this.#mostBytes * RECOUNT_SHARE) {
      this.#others = await this.#count();
      this.#countedAtBytes = ownBytes;
    }
    const others = this.#others;
    const excess = () => others.reduce((sum, other) => sum + other.bytes, ownBytes + bytes) - this.#mostBytes;
    for (const other of others) {
      if (excess() <= 0) break;
      if (other.bytes > 0 && !(await this.#stores.isRunning(other.name)))
        await removeOldest(other, excess() + this.#mostBytes * REMOVED_SHARE);
    }
    return excess() <= 0;
  }

  async #count(): Promise<OtherStore[]> {
    const found: OtherStore[] = [];
    for (const name of folderNames(this.#stores.folder)) {
      const blobs = join(this.#stores.folder, name, "blobs");
      if (!name.endsWith(".files") || blobs === this.#ownBlobs) continue;
      const kept = await listBlobs(blobs);
      if (kept.length === 0) continue;
      const bytes = kept.reduce((sum, blob) => sum + blob.bytes, 0);
      found.push({ name: name.slice(0, -".files".length), blobs, bytes, lastMs: kept.at(-1)?.madeMs ?? 0 });
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
  let removed = 0;
  for (const { path, bytes } of await listBlobs(other.blobs)) {
    if (removed >= excess) break;
    rmSync(path, { force: true });
    removed += bytes;
  }
  // What is left may have grown meanwhile; it is counted again soon.
  other.bytes = Math.max(0, other.bytes - removed);
}
