// How long to wait before trying again: doubling, capped, with jitter so that many callers don't come back
// in the same instant.

export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

const JITTER = 0.1;

/** attempt: 1 after the first failure. */
export function backoffMs(attempt: number, { firstMs, mostMs }: Backoff, random = Math.random): number {
  const delay = Math.min(firstMs * 2 ** (attempt - 1), mostMs);
  return Math.round(delay * (1 + JITTER * random()));
}
