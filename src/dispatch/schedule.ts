// The order within one batch: research in parallel, then reads in parallel, then writes one at a time.
import type { ToolCallPart } from "../domain/part.ts";
import { type Tool, type ToolKind, toolKind } from "../domain/tool.ts";

export interface Stage {
  readonly calls: readonly ToolCallPart[];
  readonly parallel: boolean;
}

export function schedule(calls: readonly ToolCallPart[], tools: ReadonlyMap<string, Tool>): Stage[] {
  const ofKind = (kind: ToolKind) => calls.filter((call) => toolKind(tools.get(call.toolName)) === kind);
  const stages: Stage[] = [
    { calls: ofKind("research"), parallel: true },
    { calls: ofKind("read"), parallel: true },
    { calls: ofKind("write"), parallel: false },
  ];
  return stages.filter((stage) => stage.calls.length > 0);
}
