// Follows what calls change on disk: the index is brought up to date before a call that writes, and compared after it.
//
// What somebody else writes is found before the next call starts, and is theirs. Three things can't be known: who of two
// wrote while a call ran (the call is named); what a file was like between two looks; and, of a file with several names,
// that it was written through a name outside the project, until it is looked at.
import { join, resolve } from "node:path";
import { inTime } from "../base/abort.ts";
import { systemClock } from "../base/clock.ts";
import { signalWithDeadline } from "../base/linked-signal.ts";
import type { ChangedBy, FileChange } from "../domain/file-change.ts";
import { ChangeLog } from "./change-log.ts";
import type { ContentStore } from "./content-store.ts";
import { FolderWatch } from "./folder-watch.ts";
import { realPlaces } from "./interrupted-call.ts";
import { splitAtEnd } from "./late-changes.ts";
import { NamedFiles } from "./named-files.ts";
import { isSameImage } from "./restore-plan.ts";
import { RunningIndex } from "./running-index.ts";
import { newRunFolder } from "./running-mark.ts";
import { isShared, withAllNames } from "./shared-file.ts";
import { NOT_ALL_KEPT, REFUSED, UNCOVERED } from "./shortcomings.ts";
import type { ChangeTracker, Coverage, FoundChanges, ProjectFiles, TrackedCall } from "./tracking.ts";
import { TreeIndex } from "./tree-index.ts";
import { WorkQueue } from "./work-queue.ts";

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
/** One that names its files can do without it. */
const MOST_EDIT_WAIT_MS = 1_000;
/** What is still being looked for when the program ends. */
const CLOSING_MS = 2_000;
/** Somebody may write all the time. */
const MOST_LOOKS = 3;

const OTHER: ChangedBy = { type: "other" };

interface RunningCall {
  readonly call: TrackedCall;
  /** What was there before it is known. */
  readonly isCovered: boolean;
  /** Its own files that the index doesn't know: they are covered all the same. */
  readonly named: NamedFiles | null;
}

export class DiskChangeTracker implements ChangeTracker {
  readonly #ports: TrackerPorts;
  readonly #watch: FolderWatch;
  readonly #index: TreeIndex;
  readonly #onDisk: RunningIndex;
  readonly #life = new AbortController();
  /** What is done ahead of time ends when a call needs the index. */
  #ahead = new AbortController();
  #second = new AbortController();
  /** Everything that works on the index, one after the other. */
  readonly #work: WorkQueue;
  #looksAfter = 0;
  #state: "new" | "building" | "built" = "new";
  /** Nobody knows which rows are out of date, so everything has to be looked at. */
  #isStale = true;
  /** The last look was at what was known to have changed. */
  #isPartial = false;
  #isKept = false;
  #isWritten = false;
  #running: RunningCall | null = null;
  /** What the last call did to the files that it named. */
  #naming: Promise<void> = Promise.resolve();
  readonly #log: ChangeLog;

  constructor(ports: TrackerPorts) {
    const { project, store, folder } = ports;
    this.#ports = ports;
    this.#log = new ChangeLog(project.root, (changes) => this.#writeRows(changes));
    this.#work = new WorkQueue(ports.notify);
    const run = newRunFolder(folder);
    this.#onDisk = new RunningIndex(run, project);
    this.#watch = new FolderWatch(join(run, "fence"));
    this.#index = new TreeIndex(project, store, (path) => this.#watch.add(path));
  }

  begin(): void {
    if (this.#state === "new") {
      this.#state = "building";
      void this.#work.add(this.#life.signal, async (signal) => {
        await this.#index.build(signal);
        this.#isStale = false;
        this.#state = "built";
      });
    }
    this.#keepAhead();
  }

  async before(given: TrackedCall, signal: AbortSignal): Promise<void> {
    const call = withAllNames(given);
    this.begin();
    this.#log.noteSaved();
    this.#forgetCall();
    this.#ahead.abort();
    this.#second.abort();
    const mostMs = this.#state === "built" || call.writes === null ? MOST_WAIT_MS : MOST_EDIT_WAIT_MS;
    const within = signalWithDeadline(signal, mostMs, systemClock);
    const looked = this.#work.add(within.signal, (until) => this.#lookBefore(call, until));
    const hasLooked = (await inTime(Promise.all([looked, this.#naming]), within.signal)) !== null;
    within.release();
    if (signal.aborted) return;
    const isCovered = this.#state === "built" && (hasLooked || call.writes === null);
    const { project, store } = this.#ports;
    const isKnown = (path: string) => isCovered && this.#index.rowOf(path) !== undefined;
    const named = await NamedFiles.look(isCovered ? given : call, project, store, isKnown);
    if (!isCovered && named === null) this.#work.tell(UNCOVERED);
    else if (call.writes === null && !this.#isKept) this.#work.tell(NOT_ALL_KEPT);
    if (this.#ports.store.isRefused) this.#work.tell(REFUSED);
    this.#running = { call, isCovered, named };
    this.#work.attempt(() => this.#onDisk.callBegins(call));
  }

  after(): void {
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    const endMs = this.#work.attempt(() => this.#onDisk.callEnds()) ?? Number.POSITIVE_INFINITY;
    const marked = this.#watch.mark(this.#life.signal);
    this.#looksAfter++;
    if (!running.isCovered) this.#naming = this.#noteNamed(running);
    void this.#work.add(this.#life.signal, async (signal) => {
      await marked;
      const changes = await this.#lookAfter(running.call, signal);
      await this.#noteEnded(running, endMs, changes);
      if (running.isCovered) await this.#noteNamed(running);
    });
    void this.#lookTwice(running, endMs).then(() => {
      this.#looksAfter--;
      this.#forgetCall();
    });
    this.#keepAhead();
  }

  take(): readonly FoundChanges[] {
    const taken = this.#log.take();
    this.#forgetCall();
    return taken;
  }

  async settled(signal: AbortSignal): Promise<void> {
    this.#ahead.abort();
    if (this.#looksAfter > 0) await inTime(Promise.all([this.#naming, this.#work.idle]), signal);
  }

  async coverage(signal: AbortSignal): Promise<Coverage> {
    this.begin();
    await inTime(this.#work.idle, signal);
    if (this.#state !== "built") throw new Error("The project has not been looked at yet.");
    // What is still to be kept may be too large for that.
    if (!this.#isKept) await this.#index.foresee(this.#life.signal);
    return this.#index.coverage();
  }

  async restored(changes: readonly FileChange[]): Promise<void> {
    const restored = new Map(changes.map(({ path, after }) => [path, after]));
    await this.#work.add(this.#life.signal, async (signal) => {
      if (this.#state !== "built") return;
      const paths = changes.map(({ path }) => resolve(this.#ports.project.root, path));
      const seen = await this.#index.refreshPaths(paths, signal);
      const others = seen.filter(({ path, after }) => {
        const image = restored.get(path);
        return image === undefined || !isSameImage(image, after);
      });
      this.#log.note(OTHER, others);
      this.#writeRows(changes);
    });
  }

  async close(): Promise<void> {
    await this.settled(AbortSignal.timeout(CLOSING_MS));
    this.#life.abort();
    this.#watch.close();
    // What wasn't found in time, the next opening of the session finds.
    if (this.#looksAfter === 0 && this.#running === null) this.#work.attempt(() => this.#onDisk.remove());
  }

  async #lookBefore({ writes }: TrackedCall, signal: AbortSignal): Promise<void> {
    if (this.#state !== "built") return;
    if (writes !== null) {
      const places = realPlaces(writes);
      this.#log.note(OTHER, await this.#index.keepPaths(places, signal));
      this.#log.note(OTHER, await this.#index.refreshPaths(places, signal));
      this.#log.note(OTHER, await this.#index.keepPaths(places, signal));
      return;
    }
    this.#log.note(OTHER, await this.#index.keep(signal));
    for (let look = 0; look < MOST_LOOKS; look++) {
      this.#log.note(OTHER, await this.#lookAtChanged(signal));
      // Keeping takes a while, in which somebody may write again.
      if (this.#index.isKept) break;
      this.#log.note(OTHER, await this.#index.keep(signal));
    }
    this.#isKept = true;
    await this.#writeIndex(signal);
  }

  async #noteNamed({ call: { toolCallId }, isCovered, named }: RunningCall): Promise<void> {
    const changes = (await named?.changes().catch(() => [])) ?? [];
    const isLeft = ({ path }: FileChange) => !isCovered || this.#index.rowOf(path) === undefined;
    this.#log.note({ type: "call", toolCallId }, changes.filter(isLeft));
  }

  async #lookAfter({ writes }: TrackedCall, signal: AbortSignal): Promise<readonly FileChange[]> {
    if (this.#state !== "built") return [];
    return writes === null
      ? await this.#lookAtChanged(signal)
      : await this.#index.refreshPaths(realPlaces(writes), signal);
  }

  /**
   * Some writes have no event: through memory that is mapped to a file, through another name of the file, or from
   * another machine. So everything is looked at as well, unless the next call comes first.
   */
  #lookTwice(running: RunningCall, endMs: number): Promise<void> {
    this.#second = new AbortController();
    const until = AbortSignal.any([this.#life.signal, this.#second.signal]);
    return this.#work.add(until, async (signal) => {
      if (this.#state !== "built" || running.call.writes !== null || !this.#isPartial) return;
      try {
        await this.#noteEnded(running, endMs, await this.#index.refresh(signal));
      } finally {
        // What it had found when the next call came is this one's all the same.
        await this.#noteEnded(running, endMs, this.#index.takeChanges());
      }
    });
  }

  async #noteEnded(
    { call: { toolCallId }, isCovered, named }: RunningCall,
    endMs: number,
    found: readonly FileChange[],
  ): Promise<void> {
    const changes = isCovered || named === null ? found : found.filter(({ path }) => !named.has(path));
    if (changes.length === 0) return;
    await this.#watch.catchUp(this.#life.signal);
    const { folder: clock, project } = this.#ports;
    const hasChangedSince = (path: string) => this.#watch.hasChangedSinceMark(path);
    const end = { atMs: endMs, clock, root: project.root, hasChangedSince };
    const { early, late } = splitAtEnd(changes, end, this.#index);
    this.#log.note(isCovered ? { type: "call", toolCallId } : OTHER, early);
    this.#log.note(OTHER, late);
  }

  /** Everything, unless it is known what changed since the last look. */
  async #lookAtChanged(signal: AbortSignal): Promise<readonly FileChange[]> {
    const wasStale = this.#isStale;
    this.#isStale = true;
    const changed = await this.#watch.take(signal);
    // Only one of a file's names has an event.
    const known = wasStale || [...(changed?.keys() ?? [])].some(isShared) ? null : changed;
    this.#isPartial = known !== null;
    const changes =
      known === null
        ? await this.#index.refresh(signal)
        : await this.#index.refreshPaths(known.keys(), signal);
    this.#isStale = false;
    return changes;
  }

  /** New files are kept as they are found, but those of the first look take long: while nobody waits. */
  #keepAhead(): void {
    if (this.#isKept) return;
    this.#ahead.abort();
    this.#ahead = new AbortController();
    const until = AbortSignal.any([this.#life.signal, this.#ahead.signal]);
    void this.#work.add(until, async (signal) => {
      if (this.#state !== "built") return;
      this.#log.note(OTHER, await this.#index.keep(signal));
      this.#isKept = true;
      await this.#writeIndex(signal);
    });
  }

  async #writeIndex(signal: AbortSignal): Promise<void> {
    if (this.#isWritten) return;
    await this.#onDisk.write(this.#index.rows(), signal);
    this.#isWritten = true;
  }

  #forgetCall(): void {
    const isSaved = this.#running === null && this.#looksAfter === 0 && this.#log.isSaved;
    if (isSaved) this.#work.attempt(() => this.#onDisk.callIsSaved());
  }

  #writeRows(changes: readonly FileChange[]): void {
    this.#work.attempt(() => this.#onDisk.add(changes.map(({ path }) => this.#index.rowOf(path) ?? path)));
  }
}
