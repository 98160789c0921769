// What a model call may cost is set aside before it is made, so that calls that run at the same time can't pass a limit
// together. A call that has to wait for others to end waits; one that can't be paid is not made.
import { untilAbort } from "../base/abort.ts";
import { type Budget, LimitReachedError, type ReachedLimit, type Reserved, reachedLimit } from "./limits.ts";
import type { Price } from "./usage.ts";

export interface CallNeed {
  readonly inputTokens: number;
  /** The most tokens the answer may have. */
  readonly mostOutput: number;
  readonly price: Price | undefined;
}

export interface Reservation {
  /** What is left for the answer: at most what was asked for. */
  readonly mostOutput: number;
  readonly release: () => void;
}

/** With less than this for its answer, a call would be money for nothing. */
const LEAST_OUTPUT = 256;

/** Throws a LimitReachedError if the call can't be paid, not even with a short answer. */
export async function reserve(budget: Budget, need: CallNeed, signal: AbortSignal): Promise<Reservation> {
  for (;;) {
    const reached = reachedLimit(budget, 0);
    if (reached !== null) throw new LimitReachedError(reached);
    const { mostOutput, short } = affordable(budget, need);
    const isAlone = budget.reserved.size === 0;
    if (mostOutput >= need.mostOutput || (isAlone && short === null)) return taken(budget, need, mostOutput);
    // Alone it has all that is left: nothing will become of waiting.
    if (isAlone && short !== null) throw new LimitReachedError(short);
    await untilReleased(budget, signal);
  }
}

function taken(budget: Budget, need: CallNeed, mostOutput: number): Reservation {
  const held: Reserved = {
    totalTokens: need.inputTokens + mostOutput,
    costDollars: inputDollars(need) + mostOutput * outputDollars(need),
  };
  budget.reserved.add(held);
  return {
    mostOutput,
    release: () => {
      budget.reserved.delete(held);
      for (const wake of [...budget.waiting]) wake();
    },
  };
}

interface Affordable {
  readonly mostOutput: number;
  /** The limit that is too short even for a short answer. */
  readonly short: ReachedLimit | null;
}

function affordable({ limits, spent, reserved }: Budget, need: CallNeed): Affordable {
  const least = Math.min(LEAST_OUTPUT, need.mostOutput);
  let mostOutput = need.mostOutput;
  let short: ReachedLimit | null = null;
  for (const limit of ["costDollars", "totalTokens"] as const) {
    const allowed = limits[limit];
    if (allowed === undefined) continue;
    const [input, each] =
      limit === "totalTokens" ? [need.inputTokens, 1] : [inputDollars(need), outputDollars(need)];
    let left = allowed - spent[limit] - input;
    for (const held of reserved) left -= held[limit];
    mostOutput = Math.min(mostOutput, fits(left, each));
    if (fits(left, each) < least)
      short ??= { limit, allowed, spent: spent[limit], needed: input + least * each };
  }
  return { mostOutput, short };
}

function fits(left: number, each: number): number {
  if (left < 0) return 0;
  return each === 0 ? Number.POSITIVE_INFINITY : Math.floor(left / each);
}

/** All of it may have to be written to the vendor's cache, which some ask more for. */
function inputDollars({ inputTokens, price }: CallNeed): number {
  return price === undefined ? 0 : (inputTokens * Math.max(price.input, price.cacheWrite ?? 0)) / 1e6;
}

function outputDollars({ price }: CallNeed): number {
  return (price?.output ?? 0) / 1e6;
}

async function untilReleased({ waiting }: Budget, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.add(resolve);
  try {
    await untilAbort(promise, signal);
  } finally {
    waiting.delete(resolve);
  }
}
