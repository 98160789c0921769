// A clock that a test moves by hand.
import type { Clock } from "../../src/base/clock.ts";

export interface ManualClock extends Clock {
  /** Waits that end meanwhile end in their order, each at its own time. */
  readonly advance: (ms: number) => Promise<void>;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export function manualClock(): ManualClock {
  let now = 1_700_000_000_000;
  let sleepers: readonly Sleeper[] = [];
  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((resolve) => {
        sleepers = [...sleepers, { at: now + ms, wake: resolve }];
      }),
    advance: async (ms) => {
      const end = now + ms;
      while (true) {
        const next = sleepers.toSorted((one, other) => one.at - other.at)[0];
        if (next === undefined || next.at > end) break;
        sleepers = sleepers.filter((sleeper) => sleeper !== next);
        now = Math.max(now, next.at);
        next.wake();
        // Whoever waited goes on before the time does.
        for (let turn = 0; turn < 3; turn++) await Promise.resolve();
      }
      now = end;
    },
  };
}
