// Runs a batch of tool calls and returns nothing but their answers, in the order of the calls: dispatch can't end the
// loop.
import { mergeGenerators } from "../base/merge.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { ToolCallId } from "../domain/ids.ts";
import type { ToolCallPart, ToolReturnPart } from "../domain/part.ts";
import { describeCall, toolKind } from "../domain/tool.ts";
import { execute } from "./execute.ts";
import type { DispatchPorts } from "./ports.ts";

const NAMES_SHOWN = 3;

interface CallBatch {
  readonly number: number;
  readonly calls: readonly ToolCallPart[];
  /** Calls that can't be run, and why. */
  readonly problems: ReadonlyMap<ToolCallId, string>;
}

export async function* dispatch(
  batch: CallBatch,
  ports: DispatchPorts,
): AsyncGenerator<AgentEvent, ToolReturnPart[]> {
  const { calls, problems } = batch;
  const descriptions = calls.map((call) => describeCall(ports.tools.get(call.toolName), call));
  yield { type: "batch-start", batch: batch.number, calls, descriptions, label: batchLabel(calls) };
  const returns = new Map<ToolCallId, ToolReturnPart>();
  for (const stage of stagesOf(calls, ports)) {
    const running = stage.map((call) => execute(call, problems.get(call.toolCallId), ports));
    for (const answer of yield* mergeGenerators(running, ports.width)) returns.set(answer.toolCallId, answer);
  }
  return calls.map((call) => returns.get(call.toolCallId)).filter((answer) => answer !== undefined);
}

/** Neighbours without effects run in parallel; a call with effects runs alone, and nothing overtakes it. */
function stagesOf(calls: readonly ToolCallPart[], { tools }: DispatchPorts): ToolCallPart[][] {
  const stages: ToolCallPart[][] = [];
  let open: ToolCallPart[] | null = null;
  for (const call of calls) {
    const hasEffects = toolKind(tools.get(call.toolName)) === "write";
    if (open !== null && !hasEffects) open.push(call);
    else {
      const stage = [call];
      stages.push(stage);
      open = hasEffects ? null : stage;
    }
  }
  return stages;
}

function batchLabel(calls: readonly ToolCallPart[]): string {
  const names = calls.slice(0, NAMES_SHOWN).map((call) => call.toolName);
  return names.join(", ") + (calls.length > NAMES_SHOWN ? "..." : "");
}
