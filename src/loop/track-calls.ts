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

export function trackCalls(event: AgentEvent, { registry, finished, clock }: RequestContext): void {
  switch (event.type) {
    case "batch-start":
      for (const call of event.calls) registry.register(call.toolCallId, call.toolName, call.args);
      break;
    case "tool-start":
      registry.start(event.toolCallId, clock.now());
      break;
    case "tool-end": {
      const { toolCallId, result, status, durationMs } = event;
      finished.set(toolCallId, result);
      const text = contentText(result.content);
      if (status === "completed") registry.complete(toolCallId, text, durationMs);
      else if (status === "failed") registry.fail(toolCallId, text, durationMs);
      else registry.cancel(toolCallId, text, durationMs);
      break;
    }
  }
}
