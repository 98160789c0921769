// The ids of all calls in a history: a new call must not have one of them.
import { rememberedFold } from "../base/remembered-fold.ts";
import type { ToolCallId } from "./ids.ts";
import type { Message } from "./message.ts";

export function hasCallId(messages: readonly Message[], toolCallId: ToolCallId): boolean {
  return callIds(messages).has(toolCallId);
}

const callIds = rememberedFold({
  start: () => new Set<ToolCallId>(),
  step: (ids, message: Message) => {
    if (message.kind === "response")
      for (const part of message.parts) if (part.kind === "tool-call") ids.add(part.toolCallId);
    return ids;
  },
});
