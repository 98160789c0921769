// The shape of a benchmark: rows of numbers, each with the yardstick that was measured in the same run.

export interface Row {
  readonly name: string;
  readonly value: number;
  /** The quartiles around it. */
  readonly low?: number;
  readonly high?: number;
  readonly unit: string;
  /** The same work done by something that can't be beaten, or that we have to beat. */
  readonly yardstick?: number;
  readonly yardstickName?: string;
  /** value / yardstick. */
  readonly ratio?: number;
  /** value - yardstick, where that says more than the ratio. */
  readonly difference?: number;
  /** What may not exceed it is the difference, else the ratio, else the value: whichever the row has. */
  readonly limit?: number;
}

/** What a file in bench/ exports. */
export interface Bench {
  readonly name: string;
  readonly run: () => Promise<Row[]>;
}

export function isOverLimit({ value, ratio, difference, limit }: Row): boolean {
  return limit !== undefined && (difference ?? ratio ?? value) > limit;
}

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Median with the quartiles around it: on a shared machine the mean measures the neighbours. */
export function spreadOf(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
