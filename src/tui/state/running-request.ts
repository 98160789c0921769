// The running request: what it waits for, since when, and what it has used.
import type { FileChange } from "../../domain/file-change.ts";
import { NO_USAGE, type UsageTotals } from "../../domain/usage.ts";

export interface RunningRequest {
  readonly startedAt: number;
  /** What it does and since when, for the line above the editor. */
  readonly activity: string;
  readonly activitySince: number;
  /** The prompt of the request is already on the screen when it joins the conversation. */
  readonly promptPending: boolean;
  /** Text or a thought of the current model call was shown while it streamed. */
  readonly streamed: boolean;
  /** The answer of the current model call broke off, and the model is asked to go on with it. */
  readonly goesOn: boolean;
  readonly generatingSince: number | null;
  readonly generatingMs: number;
  readonly usage: UsageTotals;
  /** Characters streamed in the current call, to estimate tokens until the usage is known. */
  readonly characters: number;
  readonly retry: {
    readonly until: number;
    readonly attempt: number;
    readonly mostAttempts?: number;
    readonly reason: string;
  } | null;
  readonly waiting: {
    readonly awaited: string;
    readonly since: number;
    readonly deadlineMs: number;
  } | null;
  readonly canStop: boolean;
  readonly stopping: boolean;
  /** What its calls changed on disk, one change for each path. */
  readonly changes: ReadonlyMap<string, FileChange>;
}

export function startRequest(now: number): RunningRequest {
  return {
    startedAt: now,
    activity: "Starting",
    activitySince: now,
    promptPending: true,
    streamed: false,
    goesOn: false,
    generatingSince: null,
    generatingMs: 0,
    usage: NO_USAGE,
    characters: 0,
    retry: null,
    waiting: null,
    canStop: true,
    stopping: false,
    changes: new Map(),
  };
}

export function withChanges(request: RunningRequest, changes: readonly FileChange[]): RunningRequest {
  const joined = new Map(request.changes);
  for (const change of changes) {
    const before = joined.get(change.path)?.before ?? change.before;
    joined.set(change.path, { ...change, before });
  }
  return { ...request, changes: joined };
}

/** Files that are as they were, and folders, don't count. */
export function countChanged({ changes }: RunningRequest): number {
  const isChanged = ({ before, after }: FileChange) => JSON.stringify(before) !== JSON.stringify(after);
  const isFile = ({ before, after }: FileChange) => before.type !== "folder" && after.type !== "folder";
  return [...changes.values()].filter((change) => isFile(change) && isChanged(change)).length;
}

/** Something arrived, so a wait or a retry is over. */
export function withActivity(request: RunningRequest, activity: string, now: number): RunningRequest {
  const isSame = request.activity === activity;
  return {
    ...request,
    activity,
    activitySince: isSame ? request.activitySince : now,
    retry: null,
    waiting: null,
  };
}

export function withGeneration(request: RunningRequest, activity: string, now: number): RunningRequest {
  const generatingSince = request.generatingSince ?? now;
  return { ...withActivity(request, activity, now), generatingSince };
}

export function withoutGeneration(request: RunningRequest, now: number): RunningRequest {
  if (request.generatingSince === null) return request;
  const generatingMs = request.generatingMs + now - request.generatingSince;
  return { ...request, generatingSince: null, generatingMs };
}
