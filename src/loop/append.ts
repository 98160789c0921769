// The only way a running conversation grows: by a whole message, told to everyone, and to the conversation first.
import type { AgentEvent } from "../domain/event.ts";
import type { Message } from "../domain/message.ts";
import type { RequestContext } from "./request-context.ts";

export async function* append(message: Message, context: RequestContext): AsyncGenerator<AgentEvent, void> {
  // With this event it is in the conversation, and must not be saved a second time as interrupted text.
  if (message.kind === "response") context.partialText = "";
  else context.finished.clear();
  yield { type: "message-end", message };
}
