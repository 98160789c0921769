// The processes that still have to end, because their call was aborted or timed out a moment ago. Apart from
// process.ts, so that whoever never started one can wait for all of them without loading it.

const endings = new Set<Promise<unknown>>();

export function noteEnding(ending: Promise<unknown>): void {
  endings.add(ending);
  ending.catch(() => {}).finally(() => endings.delete(ending));
}

/** Waits until every process of an aborted call is gone; each takes 2 s at most. */
export async function settleProcesses(): Promise<void> {
  await Promise.allSettled(endings);
}
