// How much a request may spend, and what it has spent so far. One budget is shared with subagents and
// carried over a resume, so that neither is a way around a limit.
import type { UsageTotals } from "./usage.ts";

/** Absent: no limit. */
export interface Limits {
  readonly iterations?: number;
  readonly costDollars?: number;
  readonly totalTokens?: number;
  readonly wallMs?: number;
  readonly toolCalls?: number;
}

export const DEFAULT_MAX_ITERATIONS = 200;

export interface Spent {
  readonly iterations: number;
  readonly costDollars: number;
  readonly totalTokens: number;
  readonly wallMs: number;
  readonly toolCalls: number;
}

export const NOTHING_SPENT: Spent = {
  iterations: 0,
  costDollars: 0,
  totalTokens: 0,
  wallMs: 0,
  toolCalls: 0,
};

/** Mutable on purpose: the request and its subagents charge the same one. */
export interface Budget {
  readonly limits: Limits;
  spent: Spent;
}

export interface ReachedLimit {
  readonly limit: keyof Limits;
  readonly allowed: number;
  readonly spent: number;
}

export function newBudget(limits: Limits = {}, spent: Partial<Spent> = {}): Budget {
  return {
    limits: { iterations: DEFAULT_MAX_ITERATIONS, ...limits },
    spent: { ...NOTHING_SPENT, ...spent },
  };
}

export function charge(budget: Budget, more: Partial<Spent>): void {
  const { spent } = budget;
  budget.spent = {
    iterations: spent.iterations + (more.iterations ?? 0),
    costDollars: spent.costDollars + (more.costDollars ?? 0),
    totalTokens: spent.totalTokens + (more.totalTokens ?? 0),
    wallMs: spent.wallMs + (more.wallMs ?? 0),
    toolCalls: spent.toolCalls + (more.toolCalls ?? 0),
  };
}

export function chargeUsage(budget: Budget, call: UsageTotals): void {
  charge(budget, { costDollars: call.cost, totalTokens: call.promptTokens + call.completionTokens });
}

/** The first limit that leaves no room for more, if any. */
export function reachedLimit({ limits, spent }: Budget): ReachedLimit | null {
  for (const limit of LIMIT_NAMES) {
    const allowed = limits[limit];
    if (allowed !== undefined && spent[limit] >= allowed) return { limit, allowed, spent: spent[limit] };
  }
  return null;
}

const LIMIT_NAMES = ["iterations", "costDollars", "totalTokens", "wallMs", "toolCalls"] as const;
