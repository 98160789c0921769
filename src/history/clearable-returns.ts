// Which tool returns may be cleared: all but the newest, which are protected up to a number of tokens. A fold counts
// them as the history grows, so the whole history never has to be scanned again.
import type { Fold } from "../base/remembered-fold.ts";
import { hasUserPrompt, type Message } from "../domain/message.ts";
import type { ToolReturnPart } from "../domain/part.ts";
import { contentCharacters, estimateTokens } from "../domain/tokens.ts";

export const CLEARED_RETURN = "[Old tool result content cleared]";

export interface ClearableReturns {
  /** User turns so far. Counting stops at `minimumTurns`. */
  turns: number;
  /** The unprotected returns: the index of the message with the first one, their number, and their size. */
  from: number;
  count: number;
  tokens: number;
  /** Token counts of all returns long enough to clear, oldest first. Those from `count` on are protected. */
  readonly sizes: number[];
  protectedTokens: number;
}

export interface Protection {
  /** The newest returns stay, up to this many tokens. The very newest stays regardless of its size. */
  readonly protectTokens: number;
  /** Nothing is cleared in a history with fewer user turns. */
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

/** False for a return that is already cleared, or so short that clearing it would free nothing. */
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
  // The newest return is protected regardless of its size. If it is too short to clear, no other return inherits that.
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
