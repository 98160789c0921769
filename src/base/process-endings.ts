// The processes that are still being ended after an abort or a timeout. This is a separate file from process.ts, so
// that the program can wait for them on exit without loading that module.

const endings = new Set<Promise<unknown>>();

export function noteEnding(ending: Promise<unknown>): void {
  endings.add(ending);
  ending.catch(() => {}).finally(() => endings.delete(ending));
}

/** Waits until every process of an aborted call is gone, which takes at most 2 s. */
export async function settleProcesses(): Promise<void> {
  await Promise.allSettled(endings);
}
