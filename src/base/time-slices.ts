// Splits a long computation into short steps, so that it never blocks the keyboard and the screen.

/** Well under the 30 ms that a step may take, because callers check only now and then. */
const STEP_MS = 8;

export interface TimeSlices {
  /** True when it is time to `await rest()`. */
  due(): boolean;
  /** Yields to the event loop. Throws the signal's reason after an abort. */
  rest(): Promise<void>;
}

export function createTimeSlices(signal?: AbortSignal): TimeSlices {
  let end = performance.now() + STEP_MS;
  return {
    due: () => performance.now() >= end,
    async rest() {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      end = performance.now() + STEP_MS;
    },
  };
}
