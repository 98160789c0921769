// Runs a batch of tool calls and returns their answers, in the order of the calls, and nothing else:
// dispatch can't end the loop.
import { mergeGenerators } from "../base/merge.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { ToolCallId } from "../domain/ids.ts";
import type { ToolCallPart, ToolReturnPart } from "../domain/part.ts";
import { describeCall } from "../domain/tool.ts";
import { execute } from "./execute.ts";
import type { DispatchPorts } from "./ports.ts";
import { schedule } from "./schedule.ts";

const NAMES_SHOWN = 3;

export interface CallBatch {
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
  for (const stage of schedule(calls, ports.tools)) {
    const running = stage.calls.map((call) => execute(call, problems.get(call.toolCallId), ports));
    const finished = yield* mergeGenerators(running, stage.parallel ? ports.width : 1);
    for (const answer of finished) returns.set(answer.toolCallId, answer);
  }
  return calls.map((call) => returns.get(call.toolCallId)).filter((answer) => answer !== undefined);
}

export function batchLabel(calls: readonly ToolCallPart[]): string {
  const names = calls.slice(0, NAMES_SHOWN).map((call) => call.toolName);
  return names.join(", ") + (calls.length > NAMES_SHOWN ? "..." : "");
}
