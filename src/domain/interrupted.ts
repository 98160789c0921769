// The returns of calls that did not get to finish. A call always gets its answer, so no history is left invalid.
import type { ToolCallPart, ToolReturnPart } from "./part.ts";

export function interruptedReturn(call: ToolCallPart, started: boolean): ToolReturnPart {
  return {
    kind: "tool-return",
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    content: started
      ? "Interrupted while it ran. Its effects are unknown: check the state of things before relying on them."
      : "Interrupted before it started: it did not run.",
    status: "cancelled",
  };
}

export function failedReturn(
  { toolCallId, toolName }: Pick<ToolCallPart, "toolCallId" | "toolName">,
  reason: string,
): ToolReturnPart {
  return { kind: "tool-return", toolCallId, toolName, content: reason, status: "failed" };
}
