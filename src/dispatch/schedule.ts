// The order within one batch: research in parallel, then reads in parallel, then writes one at a time.
import type { ToolCallPart } from "../domain/part.ts";
import { type Tool, type ToolKind, toolKind } from "../domain/tool.ts";

/** Calls that may run side by side, once the stage before has ended. */
export type Stage = readonly ToolCallPart[];

export function schedule(calls: readonly ToolCallPart[], tools: ReadonlyMap<string, Tool>): Stage[] {
  const ofKind = (kind: ToolKind) => calls.filter((call) => toolKind(tools.get(call.toolName)) === kind);
  const stages = [ofKind("research"), ofKind("read"), ...ofKind("write").map((call) => [call])];
  return stages.filter((stage) => stage.length > 0);
}
