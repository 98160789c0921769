// Messages that can't be changed: what is remembered about a history (the journal's numbers, the count of
// characters, what was written for a vendor) is right only as long as nobody changes a message in place. Whoever tries
// fails the test with a TypeError.
import type { AgentEvent } from "../../src/domain/event.ts";
import type { Message } from "../../src/domain/message.ts";

export function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFrozen(inner);
  return value;
}

/** The messages, not their list: that one may grow. */
export function freezeMessages(messages: readonly Message[]): void {
  for (const message of messages) deepFrozen(message);
}

/** Of an event: those that join the conversation with it. */
export function freezeMessagesOf(event: AgentEvent): void {
  if (event.type === "message-end") deepFrozen(event.message);
  if (event.type === "repair" || event.type === "compaction") freezeMessages(event.messages);
}
