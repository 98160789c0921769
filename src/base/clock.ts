// Time as a port, so that waits can be tested without waiting.
import { abortReason } from "./abort.ts";

export interface Clock {
  readonly now: () => number;
  /** Rejects with the signal's reason when it aborts; leaves no timer behind. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
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
    }),
};
