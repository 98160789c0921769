// Tokens and money, of one call and of a session.

/** What one model call used, in the words of the wire format. */
export interface Usage {
  readonly requestTokens: number;
  readonly responseTokens: number;
  readonly cachedTokens: number;
}

/** Dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
}

/** last_call_usage and session_total_usage. */
export interface UsageTotals {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cost: number;
}

export const NO_USAGE: UsageTotals = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cost: 0 };

export function costOf(usage: Usage, price: Price | undefined): number {
  if (price === undefined) return 0;
  const fresh = Math.max(0, usage.requestTokens - usage.cachedTokens);
  const dollars =
    fresh * price.input + usage.cachedTokens * price.cacheRead + usage.responseTokens * price.output;
  return dollars / 1e6;
}

export function callUsage(given: Usage, price: Price | undefined): UsageTotals {
  const usage: Usage = {
    requestTokens: countOf(given.requestTokens),
    responseTokens: countOf(given.responseTokens),
    cachedTokens: countOf(given.cachedTokens),
  };
  return {
    promptTokens: usage.requestTokens,
    completionTokens: usage.responseTokens,
    cachedTokens: usage.cachedTokens,
    cost: costOf(usage, price),
  };
}

/** One count that is none would make every sum after it none, and no limit would hold any more. */
function countOf(tokens: number): number {
  return Number.isFinite(tokens) ? Math.max(0, tokens) : 0;
}

export function addUsage(total: UsageTotals, call: UsageTotals): UsageTotals {
  return {
    promptTokens: total.promptTokens + call.promptTokens,
    completionTokens: total.completionTokens + call.completionTokens,
    cachedTokens: total.cachedTokens + call.cachedTokens,
    cost: total.cost + call.cost,
  };
}
