// The registry is a fold over the same events that carry the returns, so that the two can't disagree.
import { contentText } from "../domain/content.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { ToolCallPart, ToolReturnPart } from "../domain/part.ts";
import type { RequestContext } from "./request-context.ts";

/** Announces the end of a call whose end no batch has announced. */
export async function* endCall(
  { toolCallId, toolName, args }: Pick<ToolCallPart, "toolCallId" | "toolName" | "args">,
  result: ToolReturnPart,
  context: RequestContext,
): AsyncGenerator<AgentEvent, void> {
  const known = context.registry.get(toolCallId);
  const durationMs = known?.status === "running" ? context.clock.now() - known.startedAt : null;
  const status = result.status ?? "completed";
  const event = { type: "tool-end", toolCallId, toolName, args, status, result, durationMs } as const;
  trackCalls(event, context);
  yield event;
}

export function trackCalls(event: AgentEvent, { registry, finished }: RequestContext): void {
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
  }
}
