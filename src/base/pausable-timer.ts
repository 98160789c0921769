// A timer that can be paused, because the time a person takes to answer a question doesn't count.
import { NO_LONGER_NEEDED } from "./abort.ts";
import type { Clock } from "./clock.ts";

export type PausedWhile = <Value>(work: () => Promise<Value>) => Promise<Value>;

export interface PausableTimer {
  /** How long it has been running. */
  readonly activeMs: () => number;
  readonly pausedWhile: PausedWhile;
  readonly release: () => void;
}

/** ms: infinite means no limit. */
export function startTimer(ms: number, clock: Clock, expire: () => void): PausableTimer {
  let activeBefore = 0;
  let resumedAt = clock.now();
  let pauses = 0;
  let released = false;
  let timer = new AbortController();
  const activeMs = () => activeBefore + (pauses === 0 ? clock.now() - resumedAt : 0);
  const run = () => {
    resumedAt = clock.now();
    // A question may be answered after the work is over, which must not restart the timer.
    if (ms === Number.POSITIVE_INFINITY || released) return;
    timer = new AbortController();
    clock.sleep(Math.max(0, ms - activeBefore), timer.signal).then(
      expire,
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
