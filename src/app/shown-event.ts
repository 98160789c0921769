// An event as others may see it: keys in the arguments of a call are hidden, while the call itself keeps them, because
// what was decided on is what has to run. All other text was masked where it entered.
import type { Mask } from "../base/secrets.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { Message } from "../domain/message.ts";

export function shownEvent(event: AgentEvent, mask: Mask): AgentEvent {
  switch (event.type) {
    case "tool-start":
    case "tool-end":
      return { ...event, args: masked(event.args, mask) };
    case "batch-start": {
      const { calls, descriptions } = event;
      return { ...event, calls: masked(calls, mask), descriptions: masked(descriptions, mask) };
    }
    case "message-end":
      return { ...event, message: shownMessage(event.message, mask) };
    case "compaction":
      return { ...event, summary: event.summary && mask(event.summary) };
    default:
      return event;
  }
}

export function shownMessage(message: Message, mask: Mask): Message {
  if (message.kind === "request") return message;
  const parts = message.parts.map((part) => (part.kind === "tool-call" ? masked(part, mask) : part));
  return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts };
}

/** Data with its keys hidden, or the same object if there are none. */
function masked<Value extends object>(value: Value, mask: Mask): Value {
  const text = JSON.stringify(value);
  const hidden = mask(text);
  return hidden === text ? value : JSON.parse(hidden);
}
