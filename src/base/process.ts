// Runs one process to its end. Output arrives in pieces, a timeout and an abort are respected, and no process is left
// behind.
import { setTimeout as sleep } from "node:timers/promises";
import { noteEnding } from "./process-endings.ts";
import { type RunningProcess, type StartRequest, startProcess } from "./process-start.ts";

export interface ProcessRequest extends StartRequest {
  readonly timeoutMs?: number;
}

export interface ProcessResult {
  readonly end: "exited" | "timed-out" | "stopped";
  readonly exitCode: number | null;
  readonly signalName: string | null;
  /** The number of background processes that it left and that were ended. */
  readonly endedInBackground: number;
  readonly durationMs: number;
}

/** The pipe drains soon after its last writer ends. If an escaped process keeps it open, we don't wait long. */
const DRAIN_LOOKS = 5;
const DRAIN_LOOK_MS = 100;
const DRAIN_WITHIN_MS = 2_000;
/** Makes a timer that doesn't keep the program alive. */
const UNWAITED = { ref: false };

/** On abort it throws the signal's reason at once. The process is ended in the background, see settleProcesses. */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const { signal } = request;
  signal.throwIfAborted();
  const startedAt = performance.now();
  const starting = startProcess(request);
  const finished = starting.then((running) => finish(running, request.timeoutMs));
  noteEnding(finished);
  return await new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason);
      starting.then((running) => running.interrupt(), reject);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    finished
      .then((result) => resolve({ ...result, durationMs: performance.now() - startedAt }), reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}

async function finish(
  running: RunningProcess,
  timeoutMs: number | undefined,
): Promise<Omit<ProcessResult, "durationMs">> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<"timed-out">((resolve) => {
    if (timeoutMs !== undefined) timer = setTimeout(() => resolve("timed-out"), timeoutMs);
  });
  try {
    const end = await Promise.race([running.exited, running.stopped, timedOut]);
    const ended = (await running.end()) + (await drain(running));
    return { end, ...running.exit(), endedInBackground: end === "exited" ? ended : 0 };
  } finally {
    clearTimeout(timer);
    await running.close();
  }
}

/**
 * Gives up only after several checks without new output, because on a busy machine one timer can fire before the data
 * arrives. A pipe that stays open has a writer that was missed (a process in the middle of an exec shows no mark), so
 * each check looks for the family again. Returns how many processes were ended.
 */
async function drain(running: RunningProcess): Promise<number> {
  const deadline = performance.now() + DRAIN_WITHIN_MS;
  let seen = -1;
  let ended = 0;
  for (let idle = 0; idle < DRAIN_LOOKS && performance.now() < deadline; idle++) {
    const isDone = await Promise.race([
      running.drained.then(() => true),
      sleep(DRAIN_LOOK_MS, false, UNWAITED),
    ]);
    if (isDone) break;
    ended += await running.end();
    if (running.piecesRead() !== seen) idle = 0;
    seen = running.piecesRead();
  }
  return ended;
}
