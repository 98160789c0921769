// The rules in their order, repeated until there is nothing left to repair; almost every history is sound at once.
import type { Message } from "../domain/message.ts";
import { alternation } from "./alternation.ts";
import { blankParts } from "./blank-parts.ts";
import { emptyMessages } from "./empty-messages.ts";
import { lostBeginning } from "./lost-beginning.ts";
import { misplacedReturns } from "./misplaced-returns.ts";
import { applyRules, type Repaired, type Rule } from "./rule.ts";
import { settleCalls } from "./settle-calls.ts";
import { isSound } from "./sound.ts";

const MAX_ROUNDS = 10;

// What says nothing goes first, so that calls and returns stand as close as they can; then calls and returns are
// matched; what that emptied goes; and the rest is put in order.
const RULES: readonly Rule[] = [
  blankParts,
  emptyMessages,
  settleCalls,
  emptyMessages,
  misplacedReturns,
  alternation,
  lostBeginning,
];

export function cleanup(messages: readonly Message[]): Repaired {
  let cleaned: Repaired = { messages, repairs: [] };
  for (let round = 0; round < MAX_ROUNDS && !isSound(cleaned.messages); round++)
    cleaned = applyRules(cleaned, RULES);
  return cleaned;
}
