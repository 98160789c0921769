// Exponential backoff: delays double up to a cap, with jitter so that many clients don't retry at the same moment.

export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Adds up to 10 %. */
const JITTER = 0.1;

/** `attempt` is 1 after the first failure. `random` is between 0 and 1. */
export function backoffMs(backoff: Backoff, attempt: number, random: number): number {
  const base = Math.min(backoff.firstMs * 2 ** (attempt - 1), backoff.mostMs);
  return base * (1 + JITTER * random);
}
