// How long to wait before trying again: doubling, capped, with jitter so that many clients don't return at once.

export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
  /** 0.1 = up to 10 % on top, which is also the default. */
  readonly jitter?: number;
}

const DEFAULT_JITTER = 0.1;

/** attempt: 1 for the wait after the first failure. random: 0 to 1. */
export function backoffMs(backoff: Backoff, attempt: number, random: number): number {
  const base = Math.min(backoff.firstMs * 2 ** (attempt - 1), backoff.mostMs);
  return base * (1 + (backoff.jitter ?? DEFAULT_JITTER) * random);
}
