// How much may be spent, and what has been spent so far. One budget is shared with subagents and carried
// over a resume, so that neither is a way around a limit.
import type { UsageTotals } from "./usage.ts";

/** Model calls one request may make. */
export const DEFAULT_MAX_ITERATIONS = 1_000;

export interface Spent {
  readonly costDollars: number;
  readonly totalTokens: number;
  readonly wallMs: number;
  readonly toolCalls: number;
}

/** What a session has done; its usage tells what tokens and money it spent. */
export type Work = Pick<Spent, "wallMs" | "toolCalls">;

export const NO_WORK: Work = { wallMs: 0, toolCalls: 0 };

export function addWork(total: Work, more: Work): Work {
  return { wallMs: total.wallMs + more.wallMs, toolCalls: total.toolCalls + more.toolCalls };
}

/** Absent: no limit. */
export type Limits = Partial<Spent>;

const NOTHING_SPENT: Spent = { costDollars: 0, totalTokens: 0, wallMs: 0, toolCalls: 0 };

/** Mutable on purpose: the request and its subagents charge the same one. */
export interface Budget {
  readonly limits: Limits;
  spent: Spent;
}

export interface ReachedLimit {
  readonly limit: keyof Spent | "iterations" | "repeatedCalls";
  readonly allowed: number;
  readonly spent: number;
}

export function newBudget(limits: Limits = {}, spent: Partial<Spent> = {}): Budget {
  return { limits, spent: { ...NOTHING_SPENT, ...spent } };
}

export function charge(budget: Budget, more: Partial<Spent>): void {
  const { spent } = budget;
  budget.spent = {
    costDollars: spent.costDollars + (more.costDollars ?? 0),
    totalTokens: spent.totalTokens + (more.totalTokens ?? 0),
    wallMs: spent.wallMs + (more.wallMs ?? 0),
    toolCalls: spent.toolCalls + (more.toolCalls ?? 0),
  };
}

export function chargeUsage(budget: Budget, call: UsageTotals): void {
  charge(budget, { costDollars: call.cost, totalTokens: call.promptTokens + call.completionTokens });
}

/** The first limit that leaves no room for a batch of `calls`, if any. */
export function reachedLimit({ limits, spent }: Budget, calls: number): ReachedLimit | null {
  for (const limit of ["costDollars", "totalTokens", "wallMs", "toolCalls"] as const) {
    const allowed = limits[limit] ?? Number.POSITIVE_INFINITY;
    const isReached = limit === "toolCalls" ? spent.toolCalls + calls > allowed : spent[limit] >= allowed;
    if (isReached) return { limit, allowed, spent: spent[limit] };
  }
  return null;
}

/** In words: "the limit of 1000 model calls". */
export function describeLimit({ limit, allowed }: ReachedLimit): string {
  return LIMITS_IN_WORDS[limit](allowed);
}

const LIMITS_IN_WORDS: Readonly<Record<ReachedLimit["limit"], (allowed: number) => string>> = {
  iterations: (allowed) => `the limit of ${allowed} model calls in one request`,
  costDollars: (allowed) => `the cost limit of $${allowed}`,
  totalTokens: (allowed) => `the limit of ${allowed} tokens`,
  wallMs: (allowed) => `the time limit of ${Math.round(allowed / 1000)} s`,
  toolCalls: (allowed) => `the limit of ${allowed} tool calls`,
  repeatedCalls: (allowed) => `the limit of ${allowed} identical calls with identical results in a row`,
};
