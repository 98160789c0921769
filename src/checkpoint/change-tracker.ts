// Follows what calls change on disk: the index is brought up to date before a call that writes, and compared after it.
//
// What somebody else writes is found before the next call starts, and is theirs. Three things can't be known: who of two
// wrote while a call ran (the call is named); what a file was like between two looks; and, of a file with several names,
// that it was written through a name outside the project, until it is looked at.
import { rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { inTime } from "../base/abort.ts";
import { systemClock } from "../base/clock.ts";
import { signalWithDeadline } from "../base/linked-signal.ts";
import { errorMessage } from "../domain/error.ts";
import type { ChangedBy, FileChange } from "../domain/file-change.ts";
import type { ContentStore } from "./content-store.ts";
import { FolderWatch } from "./folder-watch.ts";
import { realPlaces } from "./interrupted-call.ts";
import { splitAtEnd } from "./late-changes.ts";
import { isSameImage } from "./restore-plan.ts";
import { RunningIndex } from "./running-index.ts";
import type { ChangeTracker, Coverage, FoundChanges, ProjectFiles, TrackedCall } from "./tracking.ts";
import { TreeIndex } from "./tree-index.ts";

export interface TrackerPorts {
  readonly project: ProjectFiles;
  readonly store: ContentStore;
  /** Beside the session: <session>.files. */
  readonly folder: string;
  /** A sentence for the person. */
  readonly notify: (text: string) => void;
}

/** A call waits so long for the first look at a large project, and goes on without it. */
const MOST_WAIT_MS = 15_000;
/** What is still being looked for when the program ends. */
const CLOSING_MS = 2_000;
/** Somebody may write all the time. */
const MOST_LOOKS = 3;

const UNCOVERED =
  "The project could not be looked at in time, so undo doesn't cover what was changed until now.";
const NOT_ALL_KEPT =
  "Not all files of the project are kept yet, so undo may not bring back everything that is changed now.";
const OTHER: ChangedBy = { type: "other" };

interface RunningCall {
  readonly call: TrackedCall;
  /** What was there before it is known. */
  readonly isCovered: boolean;
}

export class DiskChangeTracker implements ChangeTracker {
  readonly #ports: TrackerPorts;
  readonly #fence: string;
  readonly #watch: FolderWatch;
  readonly #index: TreeIndex;
  readonly #onDisk: RunningIndex;
  readonly #life = new AbortController();
  /** What is done ahead of time ends when a call needs the index. */
  #ahead = new AbortController();
  /** Everything that works on the index, one after the other. */
  #work: Promise<void> = Promise.resolve();
  #looksAfter = 0;
  #state: "new" | "building" | "built" = "new";
  /** Nobody knows which rows are out of date, so everything has to be looked at. */
  #isStale = true;
  #isKept = false;
  #isWritten = false;
  #running: RunningCall | null = null;
  #found: FoundChanges[] = [];
  /** Handed out, and saved when the next are asked for. */
  #taken: readonly FoundChanges[] = [];
  readonly #told = new Set<string>();

  constructor(ports: TrackerPorts) {
    const { project, store, folder } = ports;
    this.#ports = ports;
    this.#onDisk = new RunningIndex(folder, project);
    this.#fence = join(folder, "fence");
    this.#watch = new FolderWatch(this.#fence);
    this.#index = new TreeIndex(project, store, (path) => this.#watch.add(path));
  }

  begin(): void {
    if (this.#state === "new") {
      this.#state = "building";
      void this.#then(this.#life.signal, async (signal) => {
        await this.#index.build(signal);
        this.#isStale = false;
        this.#state = "built";
      });
    }
    this.#keepAhead();
  }

  async before(call: TrackedCall, signal: AbortSignal): Promise<void> {
    this.begin();
    this.#noteSaved();
    this.#ahead.abort();
    const within = signalWithDeadline(signal, MOST_WAIT_MS, systemClock);
    const looked = this.#then(within.signal, (until) => this.#lookBefore(call, until));
    await inTime(looked, within.signal);
    within.release();
    if (signal.aborted) return;
    const isCovered = this.#state === "built";
    if (!isCovered) this.#tell(UNCOVERED);
    else if (call.writes === null && !this.#isKept) this.#tell(NOT_ALL_KEPT);
    this.#running = { call, isCovered };
    this.#attempt(() => this.#onDisk.callBegins(call));
  }

  after(): void {
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    const endMs = this.#attempt(() => this.#onDisk.callEnds()) ?? Number.POSITIVE_INFINITY;
    const marked = this.#watch.mark(this.#life.signal);
    if (running.call.writes === null) this.#isStale = true;
    this.#looksAfter++;
    void this.#then(this.#life.signal, async (signal) => {
      await marked;
      await this.#lookAfter(running, endMs, signal);
    }).then(() => {
      this.#looksAfter--;
      this.#forgetCall();
    });
    this.#keepAhead();
  }

  take(): readonly FoundChanges[] {
    this.#noteSaved();
    this.#taken = this.#found;
    this.#found = [];
    return this.#taken;
  }

  async settled(signal: AbortSignal): Promise<void> {
    this.#ahead.abort();
    if (this.#looksAfter > 0) await inTime(this.#work, signal);
  }

  async coverage(signal: AbortSignal): Promise<Coverage> {
    this.begin();
    await inTime(this.#work, signal);
    if (this.#state !== "built") throw new Error("The project has not been looked at yet.");
    // What is still to be kept may be too large for that.
    if (!this.#isKept) await this.#index.foresee(this.#life.signal);
    return this.#index.coverage();
  }

  async restored(changes: readonly FileChange[]): Promise<void> {
    const restored = new Map(changes.map(({ path, after }) => [path, after]));
    await this.#then(this.#life.signal, async (signal) => {
      if (this.#state !== "built") return;
      const paths = changes.map(({ path }) => this.#placeOf(path));
      const seen = await this.#index.refreshPaths(paths, signal);
      const others = seen.filter(({ path, after }) => {
        const image = restored.get(path);
        return image === undefined || !isSameImage(image, after);
      });
      this.#note(OTHER, others);
      this.#writeRows(changes);
    });
  }

  async close(): Promise<void> {
    await this.settled(AbortSignal.timeout(CLOSING_MS));
    this.#life.abort();
    this.#watch.close();
    rmSync(this.#fence, { recursive: true, force: true });
    // What wasn't found in time, the next opening of the session finds.
    if (this.#looksAfter === 0) this.#attempt(() => this.#onDisk.remove());
  }

  async #lookBefore({ writes }: TrackedCall, signal: AbortSignal): Promise<void> {
    if (this.#state !== "built") return;
    if (writes !== null) {
      const places = realPlaces(writes);
      this.#note(OTHER, await this.#index.keepPaths(places, signal));
      this.#note(OTHER, await this.#index.refreshPaths(places, signal));
      this.#note(OTHER, await this.#index.keepPaths(places, signal));
      return;
    }
    this.#note(OTHER, await this.#index.keep(signal));
    for (let look = 0; look < MOST_LOOKS; look++) {
      this.#note(OTHER, await this.#lookAtChanged(signal));
      // Keeping takes a while, in which somebody may write again.
      if (this.#index.isKept) break;
      this.#note(OTHER, await this.#index.keep(signal));
    }
    this.#isKept = true;
    await this.#writeIndex(signal);
  }

  async #lookAfter({ call, isCovered }: RunningCall, endMs: number, signal: AbortSignal): Promise<void> {
    if (this.#state !== "built") return;
    const { toolCallId, writes } = call;
    const changes =
      writes === null
        ? await this.#lookAtChanged(signal)
        : await this.#index.refreshPaths(realPlaces(writes), signal);
    await this.#watch.catchUp(signal);
    const { folder: clock, project } = this.#ports;
    const hasChangedSince = (path: string) => this.#watch.hasChangedSinceMark(path);
    const end = { atMs: endMs, clock, root: project.root, hasChangedSince };
    const { early, late } = splitAtEnd(changes, end, this.#index);
    this.#note(isCovered ? { type: "call", toolCallId } : OTHER, early);
    this.#note(OTHER, late);
  }

  /** Everything, unless it is known what changed since the last look. */
  async #lookAtChanged(signal: AbortSignal): Promise<readonly FileChange[]> {
    const wasStale = this.#isStale;
    this.#isStale = true;
    const changed = await this.#watch.take(signal);
    const changes =
      wasStale || changed === null
        ? await this.#index.refresh(signal)
        : await this.#index.refreshPaths(changed.keys(), signal);
    this.#isStale = false;
    return changes;
  }

  /** New files are kept as they are found, but those of the first look take long: while nobody waits. */
  #keepAhead(): void {
    if (this.#isKept) return;
    this.#ahead.abort();
    this.#ahead = new AbortController();
    const until = AbortSignal.any([this.#life.signal, this.#ahead.signal]);
    void this.#then(until, async (signal) => {
      if (this.#state !== "built") return;
      this.#note(OTHER, await this.#index.keep(signal));
      this.#isKept = true;
      await this.#writeIndex(signal);
    });
  }

  async #writeIndex(signal: AbortSignal): Promise<void> {
    if (this.#isWritten) return;
    await this.#onDisk.write(this.#index.rows(), signal);
    this.#isWritten = true;
  }

  /** What was handed out before is in the journal by now. */
  #noteSaved(): void {
    for (const { changes } of this.#taken) this.#writeRows(changes);
    this.#taken = [];
    this.#forgetCall();
  }

  #forgetCall(): void {
    const unsaved = this.#looksAfter + this.#found.length + this.#taken.length;
    if (this.#running === null && unsaved === 0) this.#attempt(() => this.#onDisk.callIsSaved());
  }

  #writeRows(changes: readonly FileChange[]): void {
    this.#attempt(() => this.#onDisk.add(changes.map(({ path }) => this.#index.rowOf(path) ?? path)));
  }

  #note(by: ChangedBy, changes: readonly FileChange[]): void {
    if (changes.length > 0) this.#found.push({ by, changes });
  }

  /** It never rejects: an abort is nothing to tell, and a failure only makes undo cover less. */
  #then(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#work = this.#work.then(async () => {
      try {
        if (!signal.aborted) await work(signal);
      } catch (error) {
        if (!signal.aborted) this.#fail(error);
      }
    });
    return this.#work;
  }

  #attempt<Value>(write: () => Value): Value | null {
    try {
      return write();
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  #fail(error: unknown): void {
    this.#tell(`Undo may not cover everything from here on: ${errorMessage(error)}`);
  }

  #tell(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#ports.notify(text);
  }

  #placeOf(path: string): string {
    return isAbsolute(path) ? path : join(this.#ports.project.root, path);
  }
}
