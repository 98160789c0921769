// Notices what changes in the project between two looks: a watch on each folder, and a file of ours whose own event tells
// that all earlier ones have arrived. Only on Linux, where the events of all watches come through one queue, in order.

import { type FSWatcher, lstatSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inTime } from "../base/abort.ts";
import { systemClock } from "../base/clock.ts";
import { failureCode } from "../base/failure-code.ts";
import { signalWithDeadline } from "../base/linked-signal.ts";

/** How each absolute path changed: a "rename" may have replaced all that is below it. */
export type WatchedChanges = ReadonlyMap<string, "change" | "rename">;

/** Other programs of this person need watches, too. */
const SHARE_OF_WATCHES = 0.25;
const MOST_FOLDERS = 30_000;
/** Beyond this it is quicker to look at everything; and the kernel drops events when twice as many are waiting. */
const MOST_EVENTS = 8_000;
const FENCE_MS = 1_000;
/** Within 2 ms, the runtime doesn't hand out an event twice. Whoever looks after that has seen what it was about. */
const REPEATED_MS = 3;

interface WatchedFolder {
  readonly watcher: FSWatcher;
  /** Numbers of files are used again, so the time when it was made counts, too. */
  readonly identity: string;
  /** If another folder has its name now, this one is elsewhere, too. */
  readonly parent: WatchedFolder | undefined;
}

export class FolderWatch {
  readonly #ownFolder: string;
  readonly #mostFolders: number;
  readonly #folders = new Map<string, WatchedFolder>();
  /** Another folder may have their names now. */
  readonly #doubtful = new Set<string>();
  readonly #fences = new Map<string, () => void>();
  #ownWatch: FSWatcher | null = null;
  #changed = new Map<string, "change" | "rename">();
  /** null: it isn't known where in the events the mark is. */
  #sinceMark: Map<string, "change" | "rename"> | null = null;
  #events = 0;
  #lastEventMs = Number.NEGATIVE_INFINITY;
  #hasLost = false;
  #fenceNumber = 0;

  /** `ownFolder`: a folder for our own small files, outside the project. */
  constructor(ownFolder: string) {
    this.#ownFolder = ownFolder;
    this.#mostFolders = mostFolders();
    try {
      if (process.platform !== "linux") return;
      mkdirSync(ownFolder, { recursive: true, mode: 0o700 });
      this.#ownWatch = watch(ownFolder, { persistent: false }, (_, name) => this.#reach(name));
      this.#ownWatch.on("error", () => this.close());
    } catch {
      this.close();
    }
  }

  /** False: nothing is watched, because it can't be or would be too much. */
  get isOn(): boolean {
    return this.#ownWatch !== null;
  }

  /** To be called before the names in the folder are read, so that no change falls between the two. Parents first. */
  add(folder: string): void {
    if (!this.isOn) return;
    const parent = this.#folders.get(dirname(folder));
    const known = this.#folders.get(folder);
    const isDoubtful = this.#doubtful.delete(folder);
    if (known !== undefined && known.parent === parent && !isDoubtful) return;
    try {
      const identity = identityOf(folder);
      if (known !== undefined && known.parent === parent && known.identity === identity) return;
      known?.watcher.close();
      if (this.#folders.size >= this.#mostFolders) {
        this.close();
        return;
      }
      const watcher = watch(folder, { persistent: false }, (type, name) => this.#note(folder, type, name));
      watcher.on("error", () => this.#loseEvents());
      this.#folders.set(folder, { watcher, identity, parent });
    } catch (error) {
      // It is gone already, or nobody may read it. Anything else means that there can be no more watches.
      if (!isAbsence(error)) this.close();
    }
  }

  /**
   * Everything that changed up to now and since the last time; null if that can't be known. What happens while this
   * waits comes with it or with the next.
   */
  async take(signal: AbortSignal): Promise<WatchedChanges | null> {
    let taken: WatchedChanges | null = null;
    const isReached = await this.#fence(signal, () => {
      taken = this.#hasLost ? null : this.#changed;
      this.#changed = new Map();
      this.#events = 0;
      this.#hasLost = false;
    });
    if (!isReached) this.#hasLost = true;
    const quietMs = performance.now() - this.#lastEventMs;
    if (quietMs < REPEATED_MS) await systemClock.sleep(REPEATED_MS - quietMs, signal).catch(() => {});
    return taken;
  }

  /**
   * When it resolves, what changes from then on is known to have changed since. On a machine that is too slow for that,
   * nothing is: what came before would be taken for later.
   */
  async mark(signal: AbortSignal): Promise<void> {
    this.#sinceMark = null;
    await this.#fence(signal, () => {
      this.#sinceMark = new Map();
    });
  }

  /** Resolves when what changed up to now is noted. */
  async catchUp(signal: AbortSignal): Promise<void> {
    await this.#fence(signal, () => {});
  }

  /** This path, or a folder above it as a whole, changed after the mark. */
  hasChangedSinceMark(path: string): boolean {
    if (this.#sinceMark === null || this.#sinceMark.size === 0) return false;
    for (let at = path; at.length > 1; at = dirname(at)) {
      const type = this.#sinceMark.get(at);
      if (type === "rename" || (type === "change" && at === path)) return true;
    }
    return false;
  }

  close(): void {
    this.#ownWatch?.close();
    this.#ownWatch = null;
    this.#loseEvents();
  }

  #note(folder: string, type: "change" | "rename", name: string | null): void {
    if (name === null) {
      this.#loseEvents();
      return;
    }
    this.#lastEventMs = performance.now();
    const path = join(folder, name);
    if (type === "rename" && this.#folders.has(path)) this.#doubtful.add(path);
    if (++this.#events > MOST_EVENTS) {
      this.#hasLost = true;
      this.#changed.clear();
    } else if (type === "rename" || !this.#changed.has(path)) this.#changed.set(path, type);
    // A folder that was moved takes its watch along, so nobody knows any more where this happened.
    if (this.#sinceMark === null || this.#isMoved(folder)) return;
    if (this.#sinceMark.size < MOST_EVENTS && this.#sinceMark.get(path) !== "rename")
      this.#sinceMark.set(path, type);
  }

  #isMoved(folder: string): boolean {
    if (this.#doubtful.size === 0) return false;
    for (let at = folder; at.length > 1; at = dirname(at)) if (this.#doubtful.has(at)) return true;
    return false;
  }

  /**
   * Has our own file's event wait in the queue behind all that happened so far, and then a second one: events that are
   * read from the queue together may be handed to us in another order. False if they didn't come.
   */
  async #fence(signal: AbortSignal, reached: () => void): Promise<boolean> {
    return (await this.#pass(signal, () => {})) && (await this.#pass(signal, reached));
  }

  async #pass(signal: AbortSignal, reached: () => void): Promise<boolean> {
    if (!this.isOn) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const name = `fence-${this.#fenceNumber++}`;
    const path = join(this.#ownFolder, name);
    this.#fences.set(name, () => {
      this.#fences.delete(name);
      reached();
      resolve(true);
    });
    const within = signalWithDeadline(signal, FENCE_MS, systemClock);
    try {
      writeFileSync(path, "", { mode: 0o600 });
      return (await inTime(promise, within.signal)) ?? false;
    } catch {
      // The disk is full, or the folder is gone.
      return false;
    } finally {
      within.release();
      this.#fences.delete(name);
      rmSync(path, { force: true });
    }
  }

  #reach(name: string | null): void {
    if (name === null) this.#loseEvents();
    else this.#fences.get(name)?.();
  }

  /** The kernel dropped some: nobody knows what changed, nor whether the folders still have their names. */
  #loseEvents(): void {
    for (const { watcher } of this.#folders.values()) watcher.close();
    this.#folders.clear();
    this.#doubtful.clear();
    this.#changed.clear();
    this.#hasLost = true;
  }
}

function mostFolders(): number {
  try {
    const most = Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"));
    return Math.min(MOST_FOLDERS, most * SHARE_OF_WATCHES);
  } catch {
    return MOST_FOLDERS;
  }
}

function identityOf(folder: string): string {
  const { ino, birthtimeMs } = lstatSync(folder);
  return `${ino} ${birthtimeMs}`;
}

function isAbsence(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "EACCES"].includes(failureCode(error));
}
