// Clears old tool returns, but only when it frees enough: every change to the prefix invalidates the vendor's cache.
import { hasUserPrompt, type Message } from "../domain/message.ts";
import type { RequestPart, ToolReturnPart } from "../domain/part.ts";
import { contentCharacters, estimateTokens } from "../domain/tokens.ts";
import type { Repaired } from "./rule.ts";

export const CLEARED_RETURN = "[Old tool result content cleared]";
export const PROTECTED_TOKENS = 40_000;

export interface PruneLimits {
  /** The newest returns up to this many tokens stay, and the newest one whatever its size. */
  readonly protectTokens: number;
  /** Nothing is cleared unless it frees this many tokens. */
  readonly minimumGain: number;
  /** Nothing is cleared in a history of fewer user turns. */
  readonly minimumTurns: number;
}

const USUAL_LIMITS: PruneLimits = { protectTokens: PROTECTED_TOKENS, minimumGain: 20_000, minimumTurns: 2 };

/** Prunes with the usual limits, before every request. */
export function prune(messages: readonly Message[]): Repaired {
  return pruneReturns(messages, USUAL_LIMITS);
}

/** Prunes with the caller's limits, for a window too small for the usual ones. */
export function pruneReturns(messages: readonly Message[], limits: PruneLimits): Repaired {
  const old = clearableReturns(messages, limits.protectTokens);
  const tokens = old.reduce((sum, { size }) => sum + size, 0);
  const [first] = old;
  if (first === undefined || tokens < limits.minimumGain) return { messages, repairs: [] };
  if (messages.filter(hasUserPrompt).length < limits.minimumTurns) return { messages, repairs: [] };
  const byMessage = Map.groupBy(old, ({ at }) => at);
  const pruned = messages.map((message, at): Message => {
    const cleared = new Set(byMessage.get(at)?.map(({ index }) => index));
    if (message.kind !== "request" || cleared.size === 0) return message;
    const clear = (part: RequestPart, index: number): RequestPart =>
      part.kind === "tool-return" && cleared.has(index) ? { ...part, content: CLEARED_RETURN } : part;
    return { ...message, parts: message.parts.map(clear) };
  });
  const why = `${old.length} old tool results of about ${tokens} tokens are cleared to make room.`;
  return { messages: pruned, repairs: [{ kind: "pruned-return", at: first.at, kept: "some", why }] };
}

interface PlacedReturn {
  /** Index of the message. */
  readonly at: number;
  /** Index of the part within it. */
  readonly index: number;
  /** The tokens that clearing it frees. */
  readonly size: number;
}

/** The returns beyond the protection, oldest first. */
function clearableReturns(messages: readonly Message[], protectTokens: number): PlacedReturn[] {
  const returns = messages.flatMap(({ parts }, at) =>
    parts.flatMap((part, index) =>
      part.kind === "tool-return" ? [{ at, index, size: clearableTokens(part) }] : [],
    ),
  );
  let kept = 0;
  const last = returns.findLastIndex(({ size }, index) => {
    kept += size;
    return index < returns.length - 1 && size > 0 && kept > protectTokens;
  });
  return returns.slice(0, last + 1).filter(({ size }) => size > 0);
}

/** None for a return that is already cleared, nor for one so short that clearing frees nothing. */
function clearableTokens({ content }: ToolReturnPart): number {
  const characters = contentCharacters(content);
  return characters > CLEARED_RETURN.length ? estimateTokens(characters) : 0;
}
