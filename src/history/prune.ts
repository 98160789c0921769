// Clears old tool returns, but only when it frees enough: every change to the prefix invalidates the vendor's cache.
import { hasUserPrompt, type Message, type Request } from "../domain/message.ts";
import type { RequestPart, ToolReturnPart } from "../domain/part.ts";
import { contentCharacters, estimateTokens } from "../domain/tokens.ts";
import type { Repaired } from "./rule.ts";

export const CLEARED_RETURN = "[Old tool result content cleared]";
export const PROTECTED_TOKENS = 40_000;
export const MINIMUM_GAIN = 20_000;
export const MINIMUM_TURNS = 2;

export interface PruneLimits {
  /** The newest returns up to this many tokens stay, and the newest one whatever its size. */
  readonly protectTokens: number;
  /** Nothing is cleared unless it frees this many tokens. */
  readonly minimumGain: number;
  /** Nothing is cleared in a history of fewer user turns. */
  readonly minimumTurns: number;
}

const USUAL_LIMITS: PruneLimits = {
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
  const { turns, from, count, tokens } = clearableReturns(messages, limits.protectTokens);
  const isWorthIt = turns >= limits.minimumTurns && count > 0 && tokens >= limits.minimumGain;
  if (!isWorthIt) return { messages, repairs: [] };
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

interface ClearableReturns {
  readonly turns: number;
  /** Of the returns beyond the protection: the first one's message, how many they are, and what they hold. */
  readonly from: number;
  readonly count: number;
  readonly tokens: number;
}

/** Looks back from the newest return, which is protected whatever its size. */
function clearableReturns(messages: readonly Message[], protectTokens: number): ClearableReturns {
  let [turns, from, count, tokens, kept] = [0, 0, 0, 0, 0];
  let isNewest = true;
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (message?.kind !== "request") continue;
    if (hasUserPrompt(message)) turns++;
    for (const part of message.parts.toReversed()) {
      if (part.kind !== "tool-return") continue;
      const size = canBeCleared(part) ? estimateTokens(contentCharacters(part.content)) : 0;
      const isProtected = count === 0 && (isNewest || kept + size <= protectTokens);
      isNewest = false;
      if (isProtected) kept += size;
      else if (size > 0) {
        from = at;
        count++;
        tokens += size;
      }
    }
  }
  return { turns, from, count, tokens };
}

/** Not one that is already cleared, nor one so short that clearing frees nothing. */
function canBeCleared({ content }: ToolReturnPart): boolean {
  return contentCharacters(content) > CLEARED_RETURN.length;
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
