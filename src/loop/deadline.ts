// The global time limit of a request. The time a person takes to answer a question doesn't count.
import type { Clock } from "../base/clock.ts";
import { type PausableTimer, startTimer } from "../base/pausable-timer.ts";
import { ConfigError, GlobalRequestTimeoutError } from "../domain/error.ts";

export type Deadline = PausableTimer;

/** seconds: 0 means no limit. */
export function startDeadline(seconds: number, clock: Clock, expire: (error: Error) => void): Deadline {
  const ms = seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000;
  return startTimer(ms, clock, () => expire(new GlobalRequestTimeoutError(seconds)));
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
