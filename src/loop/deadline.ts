// The global time limit of a request. The time a person takes to answer a question doesn't count.
import { NO_LONGER_NEEDED } from "../base/abort.ts";
import type { Clock } from "../base/clock.ts";
import { ConfigError, GlobalRequestTimeoutError } from "../domain/error.ts";

export interface Deadline {
  /** How long the request has been working. */
  readonly activeMs: () => number;
  readonly pausedWhile: <Value>(work: () => Promise<Value>) => Promise<Value>;
  readonly release: () => void;
}

/** seconds: 0 means no limit. */
export function startDeadline(seconds: number, clock: Clock, expire: (error: Error) => void): Deadline {
  let activeBefore = 0;
  let resumedAt = clock.now();
  let pauses = 0;
  let released = false;
  let timer = new AbortController();
  const activeMs = () => activeBefore + (pauses === 0 ? clock.now() - resumedAt : 0);
  const run = () => {
    resumedAt = clock.now();
    // A question may be answered after the request is over, which must not restart the timer.
    if (seconds === 0 || released) return;
    timer = new AbortController();
    clock.sleep(Math.max(0, seconds * 1000 - activeBefore), timer.signal).then(
      () => expire(new GlobalRequestTimeoutError(seconds)),
      // Paused or released.
      () => {},
    );
  };
  run();
  return {
    activeMs,
    pausedWhile: async (work) => {
      if (pauses === 0) {
        activeBefore = activeMs();
        timer.abort(NO_LONGER_NEEDED);
      }
      pauses++;
      try {
        return await work();
      } finally {
        pauses--;
        if (pauses === 0) run();
      }
    },
    release: () => {
      released = true;
      timer.abort(NO_LONGER_NEEDED);
    },
  };
}

/** Reads a number or its text from a config file or a flag; absent means no limit. */
export function requestTimeoutSeconds(value: unknown): number {
  if (value === undefined || value === null || value === "") return 0;
  const seconds = typeof value === "string" ? Number(value) : value;
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) {
    throw new ConfigError(
      `global_request_timeout must be a number of seconds, not ${JSON.stringify(value)}.`,
    );
  }
  if (seconds < 0)
    throw new ConfigError(`global_request_timeout can't be negative (${seconds}). Use 0 for no limit.`);
  return seconds;
}
