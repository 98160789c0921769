// Ends a request at the worst moments: at its k-th microtask, or at its n-th crossing of a port.

export interface Injected<Result> {
  readonly result: Result;
  /** False: the work was over before the moment came. */
  readonly fired: boolean;
}

export async function atMicrotask<Result>(
  count: number,
  work: Promise<Result>,
  inject: () => void,
): Promise<Injected<Result>> {
  let over = false;
  const ended = work.finally(() => {
    over = true;
  });
  for (let tick = 0; tick < count && !over; tick++) await null;
  const fired = !over;
  if (fired) inject();
  return { result: await ended, fired };
}

export interface Crossings {
  /** Counts a crossing and runs the injection when its turn has come. */
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
