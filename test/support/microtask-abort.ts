// Aborts a request at the worst moments: at its k-th microtask, or at its n-th port crossing.
import type { VirtualClock } from "./virtual-clock.ts";

export interface Injected<Result> {
  readonly result: Result;
  /** False if the work finished before that moment. */
  readonly fired: boolean;
}

/** After this many microtasks without an event, the work is waiting for the clock. */
const QUIET = 60;

export interface Watched {
  /** How much has happened. */
  readonly progress: () => number;
  readonly clock: VirtualClock;
}

/**
 * Counting continues across waits for the clock: when nothing happens any more, the next wait ends first. Each wait
 * counts as QUIET moments, which are all equivalent.
 */
export async function atMicrotask<Result>(
  count: number,
  work: Promise<Result>,
  inject: () => void,
  watched?: Watched,
): Promise<Injected<Result>> {
  let over = false;
  const ended = work.finally(() => {
    over = true;
  });
  let quiet = 0;
  let progress = 0;
  for (let tick = 0; tick < count && !over; tick++) {
    await null;
    if (watched === undefined) continue;
    quiet = watched.progress() === progress ? quiet + 1 : 0;
    progress = watched.progress();
    if (quiet < QUIET || watched.clock.waiting() === 0) continue;
    await watched.clock.nextWake();
    quiet = 0;
  }
  const fired = !over;
  if (fired) inject();
  return { result: await ended, fired };
}

export interface Crossings {
  /** Counts a crossing and runs the injection at the right one. */
  readonly cross: () => void;
  readonly fired: () => boolean;
}

export function atCrossing(target: number, inject: () => void): Crossings {
  let count = 0;
  let fired = false;
  return {
    cross: () => {
      if (count++ !== target) return;
      fired = true;
      inject();
    },
    fired: () => fired,
  };
}
