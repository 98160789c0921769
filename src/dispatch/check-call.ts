// What there is to say about a call before it is anybody's decision: is there such a tool, do the arguments fit?
import type { JsonObject } from "../base/json.ts";
import type { ToolCallPart } from "../domain/part.ts";
import type { Tool } from "../domain/tool.ts";
import type { DispatchPorts } from "./ports.ts";
import { validateArgs } from "./validate-args.ts";

export type CheckedCall =
  /** args: with the schema's defaults filled in. */
  | { readonly type: "fit"; readonly tool: Tool; readonly args: JsonObject }
  /** problem: what the model is told instead. */
  | { readonly type: "unfit"; readonly problem: string }
  /** The request was, before the tool had looked at the arguments. */
  | { readonly type: "aborted" };

/** problem: what is already known to be wrong with it. */
export async function checkCall(
  call: ToolCallPart,
  problem: string | undefined,
  { tools, signal }: Pick<DispatchPorts, "tools" | "signal">,
): Promise<CheckedCall> {
  if (problem !== undefined) return { type: "unfit", problem };
  const tool = tools.get(call.toolName);
  if (tool === undefined) {
    const names = [...tools.keys()].join(", ");
    return {
      type: "unfit",
      problem: `There is no tool called ${JSON.stringify(call.toolName)}. Available: ${names}.`,
    };
  }
  const validation = await validateArgs(tool, call.args, signal).catch(() => null);
  if (validation === null) return { type: "aborted" };
  if (validation.ok) return { type: "fit", tool, args: validation.args };
  return {
    type: "unfit",
    problem: `The arguments don't fit ${call.toolName}: ${validation.problem}. Correct them and call again.`,
  };
}
