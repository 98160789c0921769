// An event as others may see it: keys in the arguments of a call are hidden, while the call itself keeps them, because
// what was decided on is what has to run. All other text was masked where it entered.
import type { Mask } from "../base/secrets.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { Message } from "../domain/message.ts";

export function shownEvent(event: AgentEvent, mask: Mask): AgentEvent {
  switch (event.type) {
    case "tool-start":
    case "tool-end":
      return replaced(event, { args: masked(event.args, mask) });
    case "batch-start": {
      const { calls, descriptions } = event;
      return replaced(event, { calls: masked(calls, mask), descriptions: masked(descriptions, mask) });
    }
    case "message-end":
      return replaced(event, { message: shownMessage(event.message, mask) });
    default:
      return event;
  }
}

export function shownMessage(message: Message, mask: Mask): Message {
  if (message.kind === "request") return message;
  const parts = message.parts.map((part) => (part.kind === "tool-call" ? masked(part, mask) : part));
  return parts.every((part, at) => part === message.parts[at]) ? message : { ...message, parts };
}

/** The same object if nothing in it has changed. */
function replaced<Value extends object>(value: Value, fields: Partial<Value>): Value {
  const isSame = Object.entries(fields).every(([name, field]) => value[name as keyof Value] === field);
  return isSame ? value : { ...value, ...fields };
}

/** Data with its keys hidden, or the same object if there are none. */
function masked<Value extends object>(value: Value, mask: Mask): Value {
  const text = JSON.stringify(value);
  const hidden = mask(text);
  return hidden === text ? value : JSON.parse(hidden);
}
