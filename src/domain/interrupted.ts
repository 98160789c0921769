// The returns of calls that did not get to finish. A call always gets its answer, so no history is left invalid.
import type { ToolCallPart, ToolReturnPart } from "./part.ts";

const STOPPED =
  "Interrupted while it ran. Its effects are unknown: check the state of things before relying on them.";

/** `seen`: what the person saw of its output. */
export function interruptedReturn(call: ToolCallPart, started: boolean, seen = ""): ToolReturnPart {
  return {
    kind: "tool-return",
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    content: started ? afterOutput(seen, STOPPED) : "Interrupted before it started: it did not run.",
    status: "cancelled",
  };
}

/** Of a flood a person is shown only a part. */
export function afterOutput(seen: string, remark: string): string {
  return seen.trim() === "" ? remark : `${seen.trimEnd()}\n[This much of its output was shown. ${remark}]`;
}

export function failedReturn(
  { toolCallId, toolName }: Pick<ToolCallPart, "toolCallId" | "toolName">,
  reason: string,
): ToolReturnPart {
  return { kind: "tool-return", toolCallId, toolName, content: reason, status: "failed" };
}
