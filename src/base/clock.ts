// Time as a port, so that tests need not wait.
import { abortReason } from "./abort.ts";

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
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortReason(signal));
    const stop = () => {
      clearTimeout(timer);
      reject(signal === undefined ? undefined : abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
