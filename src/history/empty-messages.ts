// Removes responses without text or calls, and requests without content. A message with only thinking or only parts
// of unknown kinds is empty, too: unknown parts are never sent.
import { isEmptyResponse, type Message } from "../domain/message.ts";
import type { Repair } from "../domain/repair.ts";
import type { Repaired } from "./rule.ts";

export function emptyMessages(messages: readonly Message[]): Repaired {
  const repairs: Repair[] = [];
  const cleaned = messages.filter((message, at) => {
    if (!isEmpty(message)) return true;
    const why = `A ${message.kind} that says nothing is removed.`;
    repairs.push({ kind: "empty-message", at, kept: "nothing", why });
    return false;
  });
  return { messages: cleaned, repairs };
}

export function isEmpty(message: Message): boolean {
  return message.kind === "response"
    ? isEmptyResponse(message)
    : message.parts.every((part) => part.kind === "unknown");
}
