// A journal in a file, as its one writer has it: the lease, the open file, and whether both still exist.
import { dirname, join } from "node:path";
import { type Disk, type DiskFile, ifThere, writeAll } from "./disk.ts";
import {
  type FoundJournal,
  type Journal,
  type JournalPosition,
  SessionTakenError,
  type Unwritten,
} from "./journal.ts";
import { acquireLease, type Lease } from "./lease.ts";
import { formatLine } from "./line.ts";
import type { SessionPaths } from "./paths.ts";
import { findJournal } from "./read-files.ts";
import { keepAside, newFile, replaceFile } from "./whole-file.ts";

export class FileJournal implements Journal {
  readonly #paths: SessionPaths;
  readonly #disk: Disk;
  #lease: Lease | undefined;
  #epoch = 0;
  /** The highest epoch that is known to have written. */
  #seenEpoch = 0;
  #handle: DiskFile | undefined;
  /** The file as we left it; undefined: not created yet. If it is longer, somebody else has written to it. */
  #place: { readonly inode: number; size: number } | undefined;
  /** The file may end in the middle of a line. */
  #torn = false;
  #folderIsNew = false;
  /** It is created in the sessions' folder, whose access we restrict; a file that was opened may be anywhere. */
  readonly #isNew: boolean;
  /** Written but not yet synced: after a failed sync they are written again. */
  #unsynced: readonly Unwritten[] = [];
  #again: readonly Unwritten[] = [];

  constructor(disk: Disk, paths: SessionPaths, isNew = false) {
    this.#disk = disk;
    this.#paths = paths;
    this.#isNew = isNew;
  }

  get epoch(): number {
    return this.#epoch;
  }

  async isThere(): Promise<boolean> {
    return (await ifThere(this.#disk.stat(this.#paths.journal))) !== undefined;
  }

  async read(after?: JournalPosition): Promise<FoundJournal> {
    const found = await findJournal(this.#disk, this.#paths.journal, after);
    this.#seenEpoch = after?.epoch ?? 0;
    if (found.status !== "good") return found;
    this.#seenEpoch = found.read.highestEpoch;
    this.#place = { inode: found.facts.inode, size: found.facts.size };
    this.#torn = !found.read.endsWithNewline;
    return found;
  }

  async fence(): Promise<"ready" | "absent"> {
    const state = this.#lease === undefined ? "gone" : await this.#lease.check();
    if (state === "taken") throw new SessionTakenError(undefined);
    if (state === "gone") await this.#takeLease();
    else if (this.#epoch <= this.#seenEpoch) await this.#raise(this.#lease);
    const facts = await ifThere(this.#disk.stat(this.#paths.journal));
    if (facts === undefined || facts.inode !== this.#place?.inode) return "absent";
    this.#handle ??= await this.#disk.open(this.#paths.journal, "append");
    return "ready";
  }

  async append(given: readonly Unwritten[], safe: boolean): Promise<void> {
    const again = this.#again;
    const records = [...again, ...given];
    if (records.length > 0) await this.#write(records);
    this.#again = [];
    if (safe) await this.#sync(again);
    this.#unsynced = safe ? [] : this.#unsynced.concat(records);
  }

  async #write(records: readonly Unwritten[]): Promise<void> {
    const handle = this.#opened();
    const place = this.#place;
    const text = records.map(({ seq, body }) => formatLine(this.#epoch, seq, body)).join("");
    const bytes = Buffer.from(this.#torn ? `\n${text}` : text);
    this.#torn = true;
    // Counted and not looked up: a process that is stopped here while another window comes and goes would mistake the
    // other window's records for its own.
    await writeAll(handle, bytes, (taken) => {
      if (place !== undefined) place.size += taken;
    });
    this.#torn = false;
  }

  /** `alsoWritten`: the records of this append that the caller won't give again. */
  async #sync(alsoWritten: readonly Unwritten[]): Promise<void> {
    try {
      await this.#opened().sync();
    } catch (error) {
      // After a failed sync neither the cache can be trusted nor the next sync of the same handle.
      await this.#closeFile();
      this.#torn = true;
      this.#again = [...this.#unsynced, ...alsoWritten];
      this.#unsynced = [];
      throw error;
    }
  }

  async begin(records: readonly Unwritten[]): Promise<void> {
    const { journal, folder } = this.#paths;
    await this.#closeFile();
    const lines = records.map(({ seq, body }) => formatLine(this.#epoch, seq, body));
    const place = { path: journal, temporary: temporaryIn(this.#paths, "journal") };
    if ((await ifThere(this.#disk.stat(journal))) === undefined) {
      // A new folder is durable only once its parent is synced.
      const parents = this.#folderIsNew ? [dirname(folder)] : [];
      await newFile(this.#disk, place, lines, [folder, ...parents]);
      this.#folderIsNew = false;
    } else {
      await keepAside(this.#disk, journal);
      await replaceFile(this.#disk, place, lines);
      await this.#disk.syncFolder(folder);
    }
    this.#handle = await this.#disk.open(journal, "append");
    const { inode, size } = await this.#handle.facts();
    this.#place = { inode, size };
    this.#torn = false;
    this.#unsynced = [];
    this.#again = [];
  }

  async end(): Promise<number | undefined> {
    const facts = await this.#handle?.facts();
    const held = (await this.#lease?.check()) === "held";
    return held && !this.#torn ? facts?.size : undefined;
  }

  async release(): Promise<void> {
    await this.#closeFile();
    await this.#lease?.release();
    this.#lease = undefined;
  }

  #opened(): DiskFile {
    if (this.#handle === undefined) throw new Error("The journal is not open.");
    return this.#handle;
  }

  async #closeFile(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    try {
      await handle?.close();
    } catch {
      // What has to be safe was synced before; a handle that can't be closed is no reason to stop.
    }
  }

  /** For the first time, or because the lease is gone; in that case only if nobody has written in the meantime. */
  async #takeLease(): Promise<void> {
    if ((await this.#disk.makeFolder(this.#paths.folder)) === "made") this.#folderIsNew = true;
    if (this.#isNew) await this.#disk.restrict(this.#paths.folder);
    const lease = await acquireLease(this.#disk, this.#paths.lease);
    try {
      const facts = await ifThere(this.#disk.stat(this.#paths.journal));
      const place = this.#place;
      if (facts !== undefined && place?.inode === facts.inode && place.size !== facts.size)
        throw new SessionTakenError(undefined);
      await this.#raise(lease);
    } catch (error) {
      // Otherwise nobody could ever take it again, including us.
      await lease.release();
      throw error;
    }
    await this.#lease?.release();
    this.#lease = lease;
  }

  async #raise(lease: Lease | undefined): Promise<void> {
    await lease?.raiseAbove(Math.max(this.#epoch, this.#seenEpoch));
    this.#epoch = lease?.epoch ?? 0;
  }
}

/** In the lease's folder, which the next holder empties: a window that has lost the session has nothing to rename. */
export function temporaryIn(paths: SessionPaths, name: string): string {
  return join(paths.lease, `${name}.tmp`);
}
