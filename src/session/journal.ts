// A session's journal as its one writer holds it: the lease, the open file, and whether both are still there.
// Fails loudly; what to do about a failure is decided by the save queue.
import { dirname, join } from "node:path";
import type { Sequence } from "../domain/session-entry.ts";
import { type Disk, type DiskFile, statIfThere, writeAll } from "./disk.ts";
import { acquireLease, type Holder, type Lease } from "./lease.ts";
import { formatLine } from "./line.ts";
import type { LoadedSession } from "./load.ts";
import type { SessionPaths } from "./paths.ts";
import { keepAside, newFile, replaceFile } from "./whole-file.ts";

export interface Unwritten {
  readonly seq: Sequence;
  readonly body: string;
}

/** Another window has the session now. */
export class SessionTakenError extends Error {
  readonly holder: Holder;

  constructor(holder: Holder) {
    super("Another window has taken this session over.");
    this.name = "SessionTakenError";
    this.holder = holder;
  }
}

export class Journal {
  readonly paths: SessionPaths;
  readonly #disk: Disk;
  #lease: Lease | undefined;
  /** Ours, or the highest that is known to have written. */
  #epoch = 0;
  #handle: DiskFile | undefined;
  /** The file as we left it; undefined: not made yet. More in it than that is somebody else's. */
  #place: { readonly inode: number; size: number } | undefined;
  /** The file may end in the middle of a line. */
  #torn = false;
  #folderIsNew = false;
  /** Its folder is the sessions' own; a file that was found may lie anywhere. */
  readonly #isNew: boolean;

  /** Without `loaded` it is a new session; without a lease, that is taken before the first write. */
  constructor(disk: Disk, paths: SessionPaths, loaded?: LoadedSession, lease?: Lease) {
    this.#disk = disk;
    this.paths = paths;
    this.#lease = lease;
    this.#isNew = loaded === undefined;
    this.#epoch = Math.max(lease?.epoch ?? 0, loaded?.highestEpoch ?? 0);
    const journal = loaded?.journal;
    if (journal === undefined) return;
    this.#place = { inode: journal.facts.inode, size: journal.facts.size };
    this.#torn = !journal.endsWithNewline;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Before every write: is it still ours, and still there? `absent`: it has to be begun, with all there is. */
  async prepare(): Promise<"ready" | "absent"> {
    const state = this.#lease === undefined ? "gone" : await this.#lease.check();
    if (state === "taken") throw new SessionTakenError(undefined);
    if (state === "gone") await this.#takeLease();
    const facts = await statIfThere(this.#disk, this.paths.journal);
    if (facts === undefined || facts.inode !== this.#place?.inode) return "absent";
    this.#handle ??= await this.#disk.open(this.paths.journal, "append");
    return "ready";
  }

  /** Not durable until sync. */
  async append(records: readonly Unwritten[]): Promise<void> {
    const handle = this.#opened();
    const place = this.#place;
    const text = records.map(({ seq, body }) => formatLine(this.#epoch, seq, body)).join("");
    const bytes = Buffer.from(this.#torn ? `\n${text}` : text);
    this.#torn = true;
    // Counted and not looked up: whoever is stopped here, and wakes up when another window has come and gone, would
    // take that one's records for its own.
    await writeAll(handle, bytes, (taken) => {
      if (place !== undefined) place.size += taken;
    });
    this.#torn = false;
  }

  async sync(): Promise<void> {
    try {
      await this.#opened().sync();
    } catch (error) {
      // What a failed sync left in the cache can't be trusted, nor can the next sync of the same handle.
      await this.#closeFile();
      this.#torn = true;
      throw error;
    }
  }

  /** A new file with these records, whole or not at all. */
  async begin(records: readonly Unwritten[]): Promise<void> {
    const { journal, folder } = this.paths;
    await this.#closeFile();
    const lines = records.map(({ seq, body }) => formatLine(this.#epoch, seq, body));
    const place = { path: journal, temporary: this.temporary("journal") };
    if ((await statIfThere(this.#disk, journal)) === undefined) {
      // A folder that nobody has made sure of yet is made sure of by its parent.
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
  }

  /** Where the file ends, for a snapshot that covers all of it; undefined while that is not certain. */
  async end(): Promise<number | undefined> {
    const facts = await this.#handle?.facts();
    const held = (await this.#lease?.check()) === "held";
    return held && !this.#torn ? facts?.size : undefined;
  }

  /**
   * In the lease's folder, which the next holder empties: whoever has lost the session can't put a file in its
   * place any more.
   */
  temporary(name: string): string {
    return join(this.paths.lease, `${name}.tmp`);
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
      // What counts was synced before; a handle that can't be closed is no reason to stop.
    }
  }

  /** For the first time, or because its file is gone; then only if nobody wrote in the meantime. */
  async #takeLease(): Promise<void> {
    if ((await this.#disk.makeFolder(this.paths.folder)) === "made") this.#folderIsNew = true;
    if (this.#isNew) await this.#disk.restrict(this.paths.folder);
    const acquired = await acquireLease(this.#disk, this.paths.lease);
    if (!acquired.ok) throw new SessionTakenError(acquired.holder);
    const { lease } = acquired;
    const facts = await statIfThere(this.#disk, this.paths.journal);
    const place = this.#place;
    if (facts !== undefined && place?.inode === facts.inode && place.size !== facts.size) {
      await lease.release();
      throw new SessionTakenError(undefined);
    }
    await lease.raiseAbove(this.#epoch);
    await this.#lease?.release();
    this.#lease = lease;
    this.#epoch = lease.epoch;
  }
}
