// Applies the repair rules in order, and again until there is nothing left to repair.
import type { Message } from "../domain/message.ts";
import { alternation } from "./alternation.ts";
import { blankParts } from "./blank-parts.ts";
import { emptyMessages } from "./empty-messages.ts";
import { lostBeginning } from "./lost-beginning.ts";
import { misplacedReturns } from "./misplaced-returns.ts";
import { applyRules, type Repaired, type RepairRule } from "./rule.ts";
import { settleCalls } from "./settle-calls.ts";
import { isSound } from "./sound.ts";

const MAX_ROUNDS = 10;

// Blank parts and empty messages go first, so that calls and returns end up as close together as possible. Then calls
// and returns are paired, messages emptied by that are removed, and the rest is put in order.
const RULES: readonly RepairRule[] = [
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
  // Almost every history is sound, and one pass that says so is much cheaper than all the rules.
  if (isSound(messages)) return cleaned;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = cleaned;
    cleaned = applyRules(before, RULES);
    if (cleaned === before) break;
  }
  return cleaned;
}
