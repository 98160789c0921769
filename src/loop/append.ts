// The only way a running conversation grows: by a whole message, announced as an event.
import type { AgentEvent } from "../domain/event.ts";
import type { Message } from "../domain/message.ts";
import type { RequestContext } from "./request-context.ts";

export async function* append(message: Message, context: RequestContext): AsyncGenerator<AgentEvent, void> {
  // The event puts the message into the conversation, so it must not be saved again as interrupted text.
  if (message.kind === "response") context.partialText = "";
  else context.finished.clear();
  yield { type: "message-end", message };
}
