// Runs several async generators concurrently, at most `width` of them, and yields their events as they arrive.
// A generator continues only after its event was consumed, so a consumer can save each event before the next one.

export async function* mergeGenerators<Event, Result>(
  generators: readonly AsyncGenerator<Event, Result>[],
  width: number,
): AsyncGenerator<Event, Result[]> {
  const results: Result[] = new Array(generators.length);
  const step = async (index: number, generator: AsyncGenerator<Event, Result>) => {
    return { index, generator, result: await generator.next() };
  };
  const running = new Map<number, ReturnType<typeof step>>();
  let next = 0;
  try {
    while (true) {
      for (; next < generators.length && running.size < Math.max(1, width); next++) {
        const generator = generators[next];
        if (generator !== undefined) running.set(next, step(next, generator));
      }
      if (running.size === 0) return results;
      const { index, generator, result } = await Promise.race(running.values());
      if (result.done) {
        running.delete(index);
        results[index] = result.value;
      } else {
        yield result.value;
        running.set(index, step(index, generator));
      }
    }
  } finally {
    // When a generator threw or the consumer left early, the others have to release their resources.
    for (const generator of generators) generator.return(undefined as Result).then(undefined, () => {});
  }
}
