// The ids of all calls in a history: a new call must not have one of them.
import type { ToolCallId } from "./ids.ts";
import type { Message } from "./message.ts";

export function hasCallId(messages: readonly Message[], toolCallId: ToolCallId): boolean {
  return messages.some(
    ({ kind, parts }) =>
      kind === "response" &&
      parts.some((part) => part.kind === "tool-call" && part.toolCallId === toolCallId),
  );
}
