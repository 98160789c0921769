// Measures several programs in turns, so that a busy moment of the machine meets all of them, and compares them.
import { defined } from "../../src/base/defined.ts";
import { type Row, type Spread, spreadOf } from "../bench.ts";
import { type Measured, measure, type Program, type Run } from "./measure.ts";

export type Figure = "wallMs" | "cpuMs" | "peakMb" | "firstRequestMs";

const UNITS: Readonly<Record<Figure, string>> = {
  wallMs: "ms",
  cpuMs: "ms CPU",
  peakMb: "MB",
  firstRequestMs: "ms",
};
const NAMES: Readonly<Record<Figure, string>> = {
  wallMs: "time",
  cpuMs: "processor",
  peakMb: "peak memory",
  firstRequestMs: "start to first request",
};

/** One entry a round, for each program. */
export type Samples = ReadonlyMap<string, readonly Measured[]>;

export interface Plan {
  readonly key: string;
  readonly program: Program;
  readonly run: Run;
  /** Before each run: fresh files. */
  readonly prepare?: () => void;
}

/** The first round only warms up. Who goes first changes from round to round. */
export async function interleave(plans: readonly Plan[], rounds: number): Promise<Samples> {
  const samples = new Map<string, Measured[]>(plans.map(({ key }) => [key, []]));
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? plans : plans.toReversed();
    for (const { key, program, run, prepare } of order) {
      prepare?.();
      const measured = await measure(program, run);
      if (round > 0) samples.get(key)?.push(measured);
    }
  }
  return samples;
}

export function valuesOf(samples: Samples, key: string, figure: Figure): number[] {
  return (samples.get(key) ?? []).map((measured) => measured[figure]);
}

/** The ratio is the median of the rounds' own: a busy moment hits both of a round, but not both medians alike. */
export function rowOf(
  samples: Samples,
  key: string,
  figure: Figure,
  against?: { readonly key: string; readonly name: string; readonly limit?: number },
): Row {
  const values = valuesOf(samples, key, figure);
  const { median, low, high } = spreadOf(values);
  const row = { name: `${key}: ${NAMES[figure]}`, value: median, low, high, unit: UNITS[figure] };
  if (against === undefined) return row;
  const yardsticks = valuesOf(samples, against.key, figure);
  return {
    ...row,
    yardstick: spreadOf(yardsticks).median,
    yardstickName: against.name,
    ratio: medianRatio(values, yardsticks).median,
    ...defined({ limit: against.limit }),
  };
}

export function medianRatio(values: readonly number[], yardsticks: readonly number[]): Spread {
  return spreadOf(values.map((value, round) => value / (yardsticks[round] ?? Number.NaN)));
}
