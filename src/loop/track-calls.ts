// The registry is a fold over the same events that make the returns, so the two can't disagree.
import { contentText } from "../domain/content.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { RequestContext } from "./request-context.ts";

export function trackCalls(context: Pick<RequestContext, "registry" | "finished">, event: AgentEvent): void {
  const { registry, finished } = context;
  switch (event.type) {
    case "batch-start":
      for (const call of event.calls) registry.register(call.toolCallId, call.toolName, call.args);
      break;
    case "tool-start":
      registry.start(event.toolCallId);
      break;
    case "tool-end": {
      finished.set(event.toolCallId, event.result);
      const text = contentText(event.result.content);
      if (event.status === "completed") registry.complete(event.toolCallId, text);
      else if (event.status === "failed") registry.fail(event.toolCallId, text);
      else registry.cancel(event.toolCallId, text);
      break;
    }
    default:
      break;
  }
}
