// Time as a port, so that tests need not wait.
import { untilAbort } from "./abort.ts";

export interface Clock {
  readonly now: () => number;
  /** Rejects with the signal's reason on abort, and leaves no timer behind. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** A longer timer (over 24.8 days) would overflow and fire immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (ms, signal) => {
    let left = ms;
    for (; left > LONGEST_TIMER_MS; left -= LONGEST_TIMER_MS) await oneTimer(LONGEST_TIMER_MS, signal);
    await oneTimer(left, signal);
  },
};

function oneTimer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return signal === undefined ? promise : untilAbort(promise, signal).finally(() => clearTimeout(timer));
}
