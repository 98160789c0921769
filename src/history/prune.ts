// Clears old tool returns, but only when it frees enough: every change to the prefix invalidates the vendor's cache.
import { foldAll } from "../base/remembered-fold.ts";
import type { Message, Request } from "../domain/message.ts";
import type { RequestPart } from "../domain/part.ts";
import {
  CLEARED_RETURN,
  type ClearableReturns,
  canBeCleared,
  clearableReturns,
  type Protection,
} from "./clearable-returns.ts";
import type { Repaired } from "./rule.ts";

export const PROTECTED_TOKENS = 40_000;
export const MINIMUM_GAIN = 20_000;
export const MINIMUM_TURNS = 2;

export interface PruneLimits extends Protection {
  /** Nothing is cleared unless it frees this many tokens. */
  readonly minimumGain: number;
}

export const USUAL_LIMITS: PruneLimits = {
  protectTokens: PROTECTED_TOKENS,
  minimumGain: MINIMUM_GAIN,
  minimumTurns: MINIMUM_TURNS,
};

/** Prunes with the usual limits, before every request. */
export function prune(messages: readonly Message[]): Repaired {
  return pruneReturns(messages, USUAL_LIMITS);
}

/** Prunes with the caller's limits, for a window too small for the usual ones. */
export function pruneReturns(messages: readonly Message[], limits: PruneLimits): Repaired {
  const returns = foldAll(messages, clearableReturns(limits));
  if (!isWorthClearing(returns, limits)) return { messages, repairs: [] };
  const { from, count, tokens } = returns;
  let left = count;
  const pruned = messages.map((message) => {
    if (left === 0 || message.kind !== "request") return message;
    const cleared = clearReturns(message, left);
    left -= cleared.count;
    return cleared.message;
  });
  const why = `${count} old tool results of about ${tokens} tokens are cleared to make room.`;
  return { messages: pruned, repairs: [{ kind: "pruned-return", at: from, kept: "some", why }] };
}

export function isWorthClearing(
  { turns, count, tokens }: ClearableReturns,
  { minimumGain, minimumTurns }: PruneLimits,
): boolean {
  return turns >= minimumTurns && count > 0 && tokens >= minimumGain;
}

/** Clears at most `most` returns of a request, from the first on. */
function clearReturns(request: Request, most: number): { message: Request; count: number } {
  let count = 0;
  const clear = (part: RequestPart): RequestPart => {
    if (count === most || part.kind !== "tool-return" || !canBeCleared(part)) return part;
    count++;
    return { ...part, content: CLEARED_RETURN };
  };
  const parts = request.parts.map(clear);
  return { message: count === 0 ? request : { ...request, parts }, count };
}
