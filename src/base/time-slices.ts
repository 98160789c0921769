// Cuts long computing into short steps, so that Escape and the screen never wait for it.

/** Well under the 30 ms that no step may take: a caller asks only now and then. */
const STEP_MS = 8;

export interface TimeSlices {
  /** Has this step been long enough? Then `await rest()`. */
  due(): boolean;
  /** Lets others run; throws the abort's reason. */
  rest(): Promise<void>;
}

export function createTimeSlices(signal: AbortSignal): TimeSlices {
  let end = performance.now() + STEP_MS;
  return {
    due: () => performance.now() >= end,
    async rest() {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      end = performance.now() + STEP_MS;
    },
  };
}
