// A clock that advances only when the program is idle, so that long waits take no real time.
import { abortReason } from "../../src/base/abort.ts";
import type { Clock } from "../../src/base/clock.ts";

export interface VirtualClock extends Clock {
  /** Waits that have neither ended nor been aborted. */
  readonly waiting: () => number;
  /** Resolves with the next wait that ends, in time to count the microtasks that follow it. */
  readonly nextWake: () => Promise<void>;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export function virtualClock(startMs = 1_700_000_000_000): VirtualClock {
  let now = startMs;
  const sleepers = new Set<Sleeper>();
  let scheduled = false;
  let wake = Promise.withResolvers<void>();
  // setImmediate runs after all microtasks. Then the program is idle, and the next wait may end.
  const advance = () => {
    if (scheduled || sleepers.size === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      const next = [...sleepers].sort((one, other) => one.at - other.at)[0];
      if (next === undefined) return;
      sleepers.delete(next);
      now = Math.max(now, next.at);
      wake.resolve();
      wake = Promise.withResolvers();
      next.wake();
      advance();
    });
  };
  return {
    now: () => now,
    waiting: () => sleepers.size,
    nextWake: () => wake.promise,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(abortReason(signal));
        const sleeper = { at: now + ms, wake: () => done() };
        const stop = () => {
          sleepers.delete(sleeper);
          reject(signal === undefined ? undefined : abortReason(signal));
        };
        const done = () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        };
        signal?.addEventListener("abort", stop, { once: true });
        sleepers.add(sleeper);
        advance();
      }),
  };
}
