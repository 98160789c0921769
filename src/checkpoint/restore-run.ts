// All steps of a restore in their order: what is there is replaced or moved away, then folders go and come, then what
// was missing arrives, and modes of folders come last.
import { failureCode } from "../base/failure-code.ts";
import { createTimeSlices } from "../base/time-slices.ts";
import type { FileChange, FileImage } from "../domain/file-change.ts";
import type { Contents } from "./contents.ts";
import { discardMoved } from "./moved-file.ts";
import { isBlocked, isMissing, openFolder, projectPlaceOf } from "./open-folder.ts";
import { openForWriting } from "./open-writers.ts";
import { arrive, exchange } from "./restore-file.ts";
import {
  arriveFolder,
  removeFolder,
  setFolderMode,
  setLockedMode,
  type UnlockedFolder,
} from "./restore-folder.ts";
import { parentsOf, type RestoreConflict, type RestoreStep } from "./restore-plan.ts";
import type { RestoreResult } from "./restoring.ts";
import {
  DONE,
  type OpenStep,
  refusal,
  type StepContext,
  type StepOutcome,
  temporaryStart,
} from "./step-context.ts";

export interface RunContext extends Omit<StepContext, "bytesFor" | "isOpen"> {
  readonly contents: Contents;
}

/** Somebody who has just opened a file writes to it before long; who keeps it open is not waited for. */
const WAITS_FOR_WRITERS_MS = [20, 30, 50, 100];

/** So many bytes are read ahead, because git gives many blobs as fast as one. */
const READ_AHEAD_BYTES = 16 * 1024 * 1024;
const MOST_READING_MS = 60_000;

type StepWork = (context: StepContext, open: OpenStep) => StepOutcome | Promise<StepOutcome>;

export async function runSteps(
  context: RunContext,
  steps: readonly RestoreStep[],
  unlocked: readonly UnlockedFolder[],
): Promise<RestoreResult> {
  const run = new RestoreRun(context, steps);
  for (const { path, mode } of unlocked) setLockedMode(context, { path, mode: mode | 0o700 });
  const [shallow, deep] = [byDepth(steps), byDepth(steps).toReversed()];
  const replaced = deep.filter(({ from }) => from.type === "file" || from.type === "link");
  await run.each(replaced, exchange);
  await run.discard(replaced);
  await run.each(
    deep.filter(({ from, to }) => from.type === "folder" && to.type !== "folder"),
    removeFolder,
  );
  const coming = shallow.filter(({ from, to }) => from.type === "absent" || isTurned(from, to));
  await run.each(
    coming.filter(({ to }) => to.type === "folder"),
    arriveFolder,
  );
  await run.each(
    coming.filter(({ to }) => to.type === "file" || to.type === "link"),
    arrive,
  );
  await run.each(
    deep.filter(({ to }) => to.type === "folder"),
    setFolderMode,
  );
  const withMode = new Set(
    run.done().flatMap(({ path, to }) => (to.type === "folder" ? absolute(context, path) : [])),
  );
  for (const folder of unlocked) if (!withMode.has(folder.path)) setLockedMode(context, folder);
  return run.result();
}

class RestoreRun {
  readonly #context: RunContext;
  readonly #steps: readonly RestoreStep[];
  readonly #indexes: ReadonlyMap<RestoreStep, number>;
  /** Of the steps that are next. */
  readonly #bytes = new Map<RestoreStep, Uint8Array>();
  /** What was moved away, and some program may still write to. */
  #open: ReadonlySet<string> = new Set();
  readonly #failed = new Set<RestoreStep>();
  readonly #conflicts: RestoreConflict[] = [];

  constructor(context: RunContext, steps: readonly RestoreStep[]) {
    this.#context = context;
    this.#steps = steps;
    this.#indexes = new Map(steps.map((step, index) => [step, index]));
  }

  /** A step that met a conflict has no further part. */
  async each(steps: readonly RestoreStep[], work: StepWork): Promise<void> {
    const slices = createTimeSlices();
    for (const group of groupsBySize(steps.filter((step) => !this.#failed.has(step)))) {
      if (work === exchange || work === arrive) await this.#readAhead(group);
      for (const step of group) {
        const outcome = await this.#work(step, work);
        this.#note(step, outcome);
        if (outcome.type === "conflict") this.#failed.add(step);
        if (slices.due()) await slices.rest();
      }
    }
  }

  /** What was moved away goes, whatever became of its place. */
  async discard(steps: readonly RestoreStep[]): Promise<void> {
    if (steps.length === 0) return;
    for (const pause of WAITS_FOR_WRITERS_MS) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      this.#open = await openForWriting(temporaryStart(this.#context.restoreId));
      if (this.#open.size === 0) break;
    }
    for (const step of steps) {
      const outcome = await this.#work(step, discardMoved);
      this.#note(step, outcome);
      if (outcome.type === "conflict" && outcome.isAside !== true) this.#failed.add(step);
    }
  }

  done(): readonly RestoreStep[] {
    return this.#steps.filter((step) => !this.#failed.has(step));
  }

  result(): RestoreResult {
    const changes = this.done().map(({ path, from, to }): FileChange => ({ path, before: from, after: to }));
    return { changes, conflicts: this.#conflicts };
  }

  #note(step: RestoreStep, outcome: StepOutcome): void {
    if (outcome.type === "done" || (this.#failed.has(step) && outcome.isAside !== true)) return;
    const { type: _, isAside: __, ...conflict } = outcome;
    this.#conflicts.push({ path: step.path, to: step.to, ...conflict });
  }

  #hasTurnedParent({ path }: RestoreStep): boolean {
    const parents = new Set(parentsOf(path));
    return this.#steps.some((step) => parents.has(step.path) && step.to.type !== "folder");
  }

  async #readAhead(steps: readonly RestoreStep[]): Promise<void> {
    this.#bytes.clear();
    const wanted = steps.flatMap(({ path, to }) =>
      to.type === "file" && to.content !== null ? [{ path, content: to.content }] : [],
    );
    const byPath = new Map(steps.map((step) => [step.path, step]));
    try {
      const found = this.#context.contents.readAll(wanted, AbortSignal.timeout(MOST_READING_MS));
      for await (const { path, bytes } of found) {
        const step = byPath.get(path);
        if (step !== undefined && bytes !== null) this.#bytes.set(step, bytes);
      }
    } catch {
      // What was not read is a conflict.
    }
  }

  async #work(step: RestoreStep, work: StepWork): Promise<StepOutcome> {
    const place = projectPlaceOf(this.#context.files, step.path);
    if (place === null) return { type: "conflict", why: "in the way", now: step.from };
    try {
      const folder = openFolder(this.#context.calls, place.folder);
      try {
        const index = this.#indexes.get(step) ?? 0;
        const bytesFor = (wanted: RestoreStep) => this.#bytes.get(wanted) ?? null;
        const isOpen = (name: string) => this.#open.has(name);
        return await work({ ...this.#context, bytesFor, isOpen }, { step, folder, name: place.name, index });
      } finally {
        folder.close();
      }
    } catch (error) {
      // A killed process had taken it away, and then the folder that it was in.
      if (isBlocked(error) && step.to.type === "absent" && this.#hasTurnedParent(step)) return DONE;
      return failure(step, error);
    }
  }
}

/** One file that can't be put back must not keep the others from it. */
function failure({ from, to }: RestoreStep, error: unknown): StepOutcome {
  // Together with the folder that it was in.
  if (isMissing(error) && to.type === "absent") return DONE;
  if (isMissing(error)) return { type: "conflict", why: "changed since", now: { type: "absent" } };
  if (failureCode(error) === "ENOTEMPTY") return { type: "conflict", why: "not empty", now: from };
  if (isBlocked(error)) return { type: "conflict", why: "in the way", now: from };
  return { type: "conflict", why: "failed", now: from, detail: refusal(error) };
}

/** A folder becomes something else, or the other way round. */
function isTurned(from: FileImage, to: FileImage): boolean {
  return from.type !== to.type && (from.type === "folder" || to.type === "folder");
}

function groupsBySize(steps: readonly RestoreStep[]): readonly (readonly RestoreStep[])[] {
  const groups: RestoreStep[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const step of steps) {
    const size = step.to.type === "file" ? step.to.size : 0;
    if (bytes + size > READ_AHEAD_BYTES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(step);
    bytes += size;
  }
  return groups;
}

function absolute({ files }: RunContext, path: string): string {
  return path.startsWith("/") ? path : `${files.root}/${path}`;
}

function byDepth(steps: readonly RestoreStep[]): readonly RestoreStep[] {
  const depth = ({ path }: RestoreStep) => path.split("/").length;
  return steps.toSorted((one, other) => depth(one) - depth(other));
}
