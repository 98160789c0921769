// Waiting for something that may never come, without outstaying an abort.

/** The abort's reason as an error, whatever was given to abort(). */
export function abortReason(signal: AbortSignal): Error {
  const { reason } = signal;
  return reason instanceof Error ? reason : new Error(reason === undefined ? "Aborted" : String(reason));
}

/** The reason to give up a wait: without one, abort() creates an exception with its stack every time. */
export const NO_LONGER_NEEDED = new Error("No longer needed.");

/** The promise's outcome, or the abort's reason if that comes first; then a later rejection is ignored. */
export function untilAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(abortReason(signal));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** The promise's value, or null if the abort comes first. */
export async function inTime<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  try {
    return await untilAbort(promise, signal);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/**
 * Iterates a source that may ignore the signal: an abort ends the iteration at once. One listener serves
 * the whole iteration, because streams have tens of thousands of items.
 */
export async function* iterateUntilAbort<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const iterator = source[Symbol.asyncIterator]();
  let stop: (reason: Error) => void = () => {};
  const onAbort = () => stop(abortReason(signal));
  signal.addEventListener("abort", onAbort, { once: true });
  let done = false;
  try {
    while (true) {
      if (signal.aborted) throw abortReason(signal);
      const result = await new Promise<IteratorResult<Item>>((resolve, reject) => {
        stop = reject;
        iterator.next().then(resolve, reject);
      });
      if (result.done) {
        done = true;
        return;
      }
      yield result.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not awaited: a source that hangs in next() would hang in return() too.
    if (!done) iterator.return?.()?.then(undefined, () => {});
  }
}
