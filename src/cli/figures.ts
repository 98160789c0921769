// Formats times, counts and costs for people.
import { describeCost, isFree, type UsageTotals } from "../domain/usage.ts";

export function seconds(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** 950, 12.3k, 1.2M. */
export function amount(count: number): string {
  if (count < 1_000) return String(count);
  const [size, unit] = count < 999_950 ? [1_000, "k"] : [1_000_000, "M"];
  return `${(count / size).toFixed(1).replace(/\.0$/, "")}${unit}`;
}

/** Tokens and cost, unless they are 0. */
export function spent(usage: UsageTotals): string[] {
  const tokens = usage.promptTokens + usage.completionTokens;
  return [
    ...(tokens > 0 ? [`${amount(tokens)} tokens`] : []),
    ...(isFree(usage) ? [] : [describeCost(usage)]),
  ];
}
