// Waits for something, but not longer than a signal allows. The work itself goes on.

/** null when the signal comes first. */
export async function untilAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const stop = () => resolve(null);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener("abort", stop);
    // Nobody waits any more; how it fails doesn't matter.
    work.catch(() => {});
  }
}
