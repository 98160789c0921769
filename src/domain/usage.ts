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

/** `last_call_usage` and `session_total_usage` of the session file. */
export interface UsageTotals {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cost: number;
}

export const NO_USAGE: UsageTotals = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cost: 0 };

/** Without a known price the cost is 0. */
export function callUsage(usage: Usage, price: Price = FREE): UsageTotals {
  const promptTokens = countOf(usage.requestTokens);
  const completionTokens = countOf(usage.responseTokens);
  const cachedTokens = countOf(usage.cachedTokens);
  const fresh = Math.max(0, promptTokens - cachedTokens);
  const dollars = fresh * price.input + cachedTokens * price.cacheRead + completionTokens * price.output;
  return { promptTokens, completionTokens, cachedTokens, cost: dollars / 1e6 };
}

const FREE: Price = { input: 0, output: 0, cacheRead: 0 };

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
  };
}
