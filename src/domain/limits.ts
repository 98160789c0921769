// How much may be spent, and what has been spent so far. One budget is shared with subagents and carried
// over a resume, so that neither is a way around a limit.
import { formatCost } from "../base/numbers.ts";
import { TunacodeError } from "./error.ts";
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
  /** What the model calls that run now may still cost. */
  readonly reserved: Set<Reserved>;
  /** Model calls that wait until others have told what they cost. */
  readonly waiting: Set<() => void>;
  /** How long each running request has been working. */
  readonly running: Set<() => number>;
  /** How many tokens vendors counted for each that was estimated, by the system prompt of the conversation. */
  readonly countedPerEstimated: Map<string, number>;
}

export type Reserved = Pick<Spent, "costDollars" | "totalTokens">;

export interface ReachedLimit {
  readonly limit: keyof Spent | "iterations" | "repeatedCalls";
  readonly allowed: number;
  readonly spent: number;
  /** What the next model call would need, if that is more than is left. */
  readonly needed?: number;
}

/** The next step would pass a limit, so it is not made. */
export class LimitReachedError extends TunacodeError {
  override readonly name = "LimitReachedError";
  readonly reached: ReachedLimit;

  constructor(reached: ReachedLimit) {
    super("limit", explainLimit(reached));
    this.reached = reached;
  }
}

export function newBudget(limits: Limits = {}, spent: Partial<Spent> = {}): Budget {
  return {
    limits,
    spent: { ...NOTHING_SPENT, ...spent },
    reserved: new Set(),
    waiting: new Set(),
    running: new Set(),
    countedPerEstimated: new Map(),
  };
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

/** Whether tokens or money have to be counted to keep a limit. */
export function limitsSpending({ limits }: Budget): boolean {
  return limits.costDollars !== undefined || limits.totalTokens !== undefined;
}

/** Counts the time of a request until the returned function is called. */
export function chargeTime(budget: Budget, activeMs: () => number): () => void {
  budget.running.add(activeMs);
  return () => {
    if (budget.running.delete(activeMs)) charge(budget, { wallMs: activeMs() });
  };
}

/** The first limit that leaves no room for a model call, or for a batch of `calls`. */
export function reachedLimit({ limits, spent, running }: Budget, calls: number): ReachedLimit | null {
  let wallMs = spent.wallMs;
  for (const activeMs of running) wallMs += activeMs();
  const now = { ...spent, wallMs };
  for (const limit of ["costDollars", "totalTokens", "wallMs", "toolCalls"] as const) {
    const allowed = limits[limit] ?? Number.POSITIVE_INFINITY;
    const isReached = limit === "toolCalls" ? now.toolCalls + calls > allowed : now[limit] >= allowed;
    if (isReached) return { limit, allowed, spent: now[limit] };
  }
  return null;
}

/** In words: "the limit of 1000 model calls". */
export function describeLimit({ limit, allowed }: ReachedLimit): string {
  return IN_WORDS[limit].limit(allowed);
}

/** In whole sentences, with what a person can do about it. */
export function explainLimit(reached: ReachedLimit): string {
  const { amount = String, advice } = IN_WORDS[reached.limit];
  const next =
    reached.needed === undefined
      ? ""
      : ` ${amount(reached.spent)} spent so far, and the next model call may need ${amount(reached.needed)}.`;
  return `Stopped: ${describeLimit(reached)} is reached.${next}${advice === undefined ? "" : ` ${advice}`}`;
}

interface LimitInWords {
  readonly limit: (allowed: number) => string;
  readonly amount?: (value: number) => string;
  readonly advice?: string;
}

const IN_WORDS: Readonly<Record<ReachedLimit["limit"], LimitInWords>> = {
  iterations: { limit: (allowed) => `the limit of ${allowed} model calls in one request` },
  costDollars: {
    limit: (allowed) => `the cost limit of $${allowed}`,
    amount: formatCost,
    advice: "To go on, raise it with --max-cost, or start a new session.",
  },
  totalTokens: {
    limit: (allowed) => `the limit of ${allowed} tokens`,
    amount: (tokens) => `${Math.ceil(tokens).toLocaleString("en-US")} tokens`,
    advice: "To go on, raise it with --max-total-tokens, or start a new session.",
  },
  wallMs: { limit: (allowed) => `the time limit of ${Math.round(allowed / 1000)} s` },
  toolCalls: {
    limit: (allowed) => `the limit of ${allowed} tool calls`,
    advice: "To go on, raise it with --max-tool-calls, or start a new session.",
  },
  repeatedCalls: {
    limit: (allowed) => `the limit of ${allowed} responses in a row with the same calls and the same results`,
  },
};
