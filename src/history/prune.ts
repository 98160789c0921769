// Old tool returns are cleared, newest protected first, and only when it pays: every change of the prefix costs the
// vendor's cache.
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

/** Before every request. */
export function prune(messages: readonly Message[]): Repaired {
  return pruneReturns(messages, {
    protectTokens: PROTECTED_TOKENS,
    minimumGain: MINIMUM_GAIN,
    minimumTurns: MINIMUM_TURNS,
  });
}

/** With limits of the caller's own, where the window is too small for the usual ones. */
export function pruneReturns(
  messages: readonly Message[],
  { protectTokens, minimumGain, minimumTurns }: PruneLimits,
): Repaired {
  const unchanged = { messages, repairs: [] };
  if (!hasTurns(messages, minimumTurns)) return unchanged;
  const { from, count, tokens } = clearable(messages, protectTokens);
  if (count === 0 || tokens < minimumGain) return unchanged;

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

function hasTurns(messages: readonly Message[], minimum: number): boolean {
  let turns = 0;
  for (const message of messages) {
    if (turns >= minimum) return true;
    if (hasUserPrompt(message)) turns++;
  }
  return turns >= minimum;
}

/** The returns beyond the protection: the first one's message, how many, and what they hold. */
function clearable(messages: readonly Message[], protectTokens: number) {
  let seen = 0;
  let isNewest = true;
  const found = { from: 0, count: 0, tokens: 0 };
  for (let at = messages.length - 1; at >= 0; at--) {
    const parts = messages[at]?.parts ?? [];
    for (let index = parts.length - 1; index >= 0; index--) {
      const part = parts[index];
      if (part?.kind !== "tool-return") continue;
      const isProtected = isNewest;
      isNewest = false;
      if (!canBeCleared(part)) continue;
      const tokens = estimateTokens(contentCharacters(part.content));
      seen += tokens;
      if (isProtected || seen <= protectTokens) continue;
      found.from = at;
      found.count++;
      found.tokens += tokens;
    }
  }
  return found;
}

/** Clears the first returns of a request, as many as `most`. */
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

/** Not one that is already cleared, nor one so short that clearing frees nothing. */
function canBeCleared({ content }: ToolReturnPart): boolean {
  return contentCharacters(content) > CLEARED_RETURN.length;
}
