// The shape of a repair rule. A message that a rule doesn't change stays the same object, because the journal writes
// only objects that it has not seen.
import type { Message } from "../domain/message.ts";
import type { Part } from "../domain/part.ts";
import type { Repair } from "../domain/repair.ts";

/** A pure function. What it returns without any repairs is the same history. */
export type RepairRule = (messages: readonly Message[]) => Repaired;

export interface Repaired {
  readonly messages: readonly Message[];
  readonly repairs: readonly Repair[];
}

/** Returns the same object if no rule found anything to repair. */
export function applyRules(history: Repaired, rules: readonly RepairRule[]): Repaired {
  return rules.reduce((before, rule) => {
    const { messages, repairs } = rule(before.messages);
    return repairs.length === 0 ? before : { messages, repairs: [...before.repairs, ...repairs] };
  }, history);
}

export function withoutParts(message: Message, drop: (part: Part) => boolean): Message {
  if (!message.parts.some(drop)) return message;
  return message.kind === "request"
    ? { ...message, parts: message.parts.filter((part) => !drop(part)) }
    : { ...message, parts: message.parts.filter((part) => !drop(part)) };
}
