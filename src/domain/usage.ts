// Tokens and money, of one call and of a session.
import { defined } from "../base/defined.ts";
import { formatCost } from "../base/numbers.ts";

/** What one model call used, in the words of the wire format. */
export interface Usage {
  readonly requestTokens: number;
  readonly responseTokens: number;
  /** The part of the request that was read from the vendor's cache. */
  readonly cachedTokens: number;
  /** The part of the request that was written to the vendor's cache. */
  readonly writtenTokens?: number;
  /** Nobody reported it: it was counted from what was sent and what came. */
  readonly estimated?: boolean;
}

/** Dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Absent: the same as input. */
  readonly cacheWrite?: number;
}

/** `last_call_usage` and `session_total_usage` of the session file. */
export interface UsageTotals extends UsageMarks {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  /** Without the calls whose price is not known. */
  readonly cost: number;
}

/** What has to be known about a sum to read it correctly. */
export interface UsageMarks {
  /** Some of it was not reported, and is an estimate. */
  readonly estimated?: boolean;
  /** Some of it has no known price, so that the cost is not known either. */
  readonly unpriced?: boolean;
}

export const NO_USAGE: UsageTotals = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cost: 0 };

export function callUsage(usage: Usage, price: Price | undefined): UsageTotals {
  const promptTokens = countOf(usage.requestTokens);
  const completionTokens = countOf(usage.responseTokens);
  const cachedTokens = countOf(usage.cachedTokens);
  const written = countOf(usage.writtenTokens ?? 0);
  const { input, output, cacheRead, cacheWrite = input } = price ?? FREE;
  const fresh = Math.max(0, promptTokens - cachedTokens - written);
  const dollars = fresh * input + cachedTokens * cacheRead + written * cacheWrite + completionTokens * output;
  const unpriced = price === undefined ? true : undefined;
  const marks = defined({ estimated: usage.estimated, unpriced });
  return { promptTokens, completionTokens, cachedTokens, cost: dollars / 1e6, ...marks };
}

export const FREE: Price = { input: 0, output: 0, cacheRead: 0 };

/** A NaN would spread to every sum after it, and no limit would be reached any more. */
function countOf(tokens: number): number {
  return Number.isFinite(tokens) ? Math.max(0, tokens) : 0;
}

export function addUsage(total: UsageTotals, call: UsageTotals): UsageTotals {
  return {
    promptTokens: total.promptTokens + call.promptTokens,
    completionTokens: total.completionTokens + call.completionTokens,
    cachedTokens: total.cachedTokens + call.cachedTokens,
    cost: total.cost + call.cost,
    ...defined({
      estimated: total.estimated ?? call.estimated,
      unpriced: total.unpriced ?? call.unpriced,
    }),
  };
}

/** The tokens of several attempts at one response. */
export function addTokens(one: Usage | null, other: Usage): Usage {
  if (one === null) return other;
  return {
    requestTokens: one.requestTokens + other.requestTokens,
    responseTokens: one.responseTokens + other.responseTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    ...defined({
      writtenTokens: (one.writtenTokens ?? 0) + (other.writtenTokens ?? 0) || undefined,
      estimated: one.estimated ?? other.estimated,
    }),
  };
}

/** It has cost nothing, as far as anybody knows: not worth a word where there is little room. */
export function isFree({ cost, unpriced }: UsageTotals): boolean {
  return cost === 0 && !unpriced;
}

/** The cost as every screen shows it: "$0.12", "about $0.12", "at least $0.12", "no price". */
export function describeCost({ cost, estimated, unpriced }: UsageTotals): string {
  if (unpriced) return cost > 0 ? `at least ${formatCost(cost)}` : "no price";
  return estimated && cost > 0 ? `about ${formatCost(cost)}` : formatCost(cost);
}
