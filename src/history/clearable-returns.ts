// Which tool returns may be cleared: those older than the newest ones, which are protected up to so many tokens. Counted
// as the history grows, so that nobody has to look back.
import type { Fold } from "../base/remembered-fold.ts";
import { hasUserPrompt, type Message } from "../domain/message.ts";
import type { ToolReturnPart } from "../domain/part.ts";
import { contentCharacters, estimateTokens } from "../domain/tokens.ts";

export const CLEARED_RETURN = "[Old tool result content cleared]";

export interface ClearableReturns {
  /** User turns, up to the least that are needed. */
  turns: number;
  /** Of the returns beyond the protection: the first one's message, how many they are, and what they hold. */
  from: number;
  count: number;
  tokens: number;
  /** Of all returns that could be cleared, oldest first; those from `count` on are protected. */
  readonly sizes: number[];
  protectedTokens: number;
}

export interface Protection {
  /** The newest returns up to this many tokens stay, and the newest one whatever its size. */
  readonly protectTokens: number;
  /** Nothing is cleared in a history of fewer user turns. */
  readonly minimumTurns: number;
}

export function clearableReturns({
  protectTokens,
  minimumTurns,
}: Protection): Fold<Message, ClearableReturns> {
  return {
    start: () => ({ turns: 0, from: 0, count: 0, tokens: 0, sizes: [], protectedTokens: 0 }),
    step: (counted, message, at) => {
      if (message.kind !== "request") return counted;
      if (counted.turns < minimumTurns && hasUserPrompt(message)) counted.turns++;
      for (const part of message.parts)
        if (part.kind === "tool-return") countReturn(part, at, counted, protectTokens);
      return counted;
    },
  };
}

/** Not one that is already cleared, nor one so short that clearing frees nothing. */
export function canBeCleared({ content }: ToolReturnPart): boolean {
  return contentCharacters(content) > CLEARED_RETURN.length;
}

function countReturn(
  part: ToolReturnPart,
  at: number,
  counted: ClearableReturns,
  protectTokens: number,
): void {
  const { sizes } = counted;
  // The newest return is protected whatever its size; also one too short to be among these takes that from the others.
  const newest = sizes.length;
  if (canBeCleared(part)) {
    const tokens = estimateTokens(contentCharacters(part.content));
    if (newest === 0) counted.from = at;
    sizes.push(tokens);
    counted.protectedTokens += tokens;
  }
  while (counted.protectedTokens > protectTokens && counted.count < newest) {
    const oldest = sizes[counted.count] ?? 0;
    counted.protectedTokens -= oldest;
    counted.tokens += oldest;
    counted.count++;
  }
}
