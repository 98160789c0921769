// What a call is called in one line: as its tool describes it, which the start of its batch says.
import type { JsonObject } from "../base/json.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { ToolCallId } from "../domain/ids.ts";
import { labelLine } from "../domain/tool.ts";

export interface LabelledCall {
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly args: JsonObject;
}

export class CallLabels {
  readonly #labels = new Map<ToolCallId, string>();

  take(event: AgentEvent): void {
    if (event.type !== "batch-start") return;
    this.#labels.clear();
    for (const [index, { toolCallId }] of event.calls.entries()) {
      const label = event.descriptions[index]?.label;
      if (label !== undefined) this.#labels.set(toolCallId, labelLine(label));
    }
  }

  readonly labelOf = ({ toolCallId, toolName, args }: LabelledCall): string =>
    this.#labels.get(toolCallId) ?? callLabel(toolName, args);
}

/** For a call whose tool is not known: its name, and its first argument that is text. */
export function callLabel(toolName: string, args: JsonObject): string {
  const detail = Object.values(args).find((value) => typeof value === "string" && value.trim() !== "");
  return labelLine({ verb: toolName, subject: typeof detail === "string" ? detail : "" });
}
