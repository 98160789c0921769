// Runs the seven phases of one node, in order: to ASSISTANT; emit tool returns; record thought; update usage;
// dispatch tools; detect empty or truncated; to RESPONSE.
import { dispatch } from "../dispatch/dispatch.ts";
import { type FoundCalls, findCalls } from "../dispatch/find-calls.ts";
import type { AgentEvent } from "../domain/event.ts";
import { failedReturn } from "../domain/interrupted.ts";
import { charge, describeLimit, type ReachedLimit, reachedLimit } from "../domain/limits.ts";
import { isEmptyResponse, type Request } from "../domain/message.ts";
import { isAnswer, type ToolReturnPart } from "../domain/part.ts";
import type { Tool } from "../domain/tool.ts";
import { isSettled } from "../domain/tool-call.ts";
import { append } from "./append.ts";
import { spendingEvents } from "./call-meter.ts";
import { isRequestNode, type Node, type ResponseNode } from "./node.ts";
import type { RequestContext } from "./request-context.ts";
import { endCall, trackCalls } from "./track-calls.ts";

export interface NodeResult {
  readonly isEmpty: boolean;
  readonly reason: "empty" | "truncated" | null;
  /** The vendor's content filter ended the response. */
  readonly filtered: boolean;
  /** Null for a request node, and for an empty response. */
  readonly found: FoundCalls | null;
  /** One for every call of the response, in the same order. */
  readonly returns: readonly ToolReturnPart[];
  /** The limit because of which the calls were not run. */
  readonly reached: ReachedLimit | null;
}

export async function* nodeEvents(
  node: Node,
  context: RequestContext,
  tools: ReadonlyMap<string, Tool> = context.tools,
): AsyncGenerator<AgentEvent, NodeResult> {
  context.nodes.push(node);
  context.state.transitionTo("assistant");
  const result = isRequestNode(node)
    ? yield* emitReturns(node.request, context)
    : yield* respond(node, context, tools);
  context.state.transitionTo("response");
  return result;
}

const NOTHING: NodeResult = {
  isEmpty: false,
  reason: null,
  filtered: false,
  found: null,
  returns: [],
  reached: null,
};

/** The loop's own calls have been announced when they ended. Those of a request from elsewhere are announced here. */
async function* emitReturns(
  request: Request,
  context: RequestContext,
): AsyncGenerator<AgentEvent, NodeResult> {
  for (const part of request.parts) {
    if (!isAnswer(part)) continue;
    const call = context.registry.get(part.toolCallId);
    if (call === undefined)
      throw new Error(`A tool return has the unknown id ${JSON.stringify(part.toolCallId)}.`);
    if (isSettled(call)) continue;
    // A retry prompt says why the call failed; an old program's validation errors are a list.
    const text = typeof part.content === "string" ? part.content : JSON.stringify(part.content);
    yield* endCall(call, part.kind === "tool-return" ? part : failedReturn(call, text), context);
  }
  return NOTHING;
}

async function* respond(
  node: ResponseNode,
  context: RequestContext,
  tools: ReadonlyMap<string, Tool>,
): AsyncGenerator<AgentEvent, NodeResult> {
  if (node.thought !== undefined) yield { type: "thought", text: node.thought };
  yield* spendingEvents(context.spent);
  if (node.result !== undefined) context.state.hasUserResponse = true;

  const { finishReason } = node.modelResponse;
  const truncated = finishReason === "length";
  const filtered = finishReason === "content-filter";
  if (isEmptyResponse(node.modelResponse))
    return { ...NOTHING, isEmpty: true, reason: truncated ? "truncated" : "empty", filtered };
  const found = findCalls(node.modelResponse, tools, (id) => context.conversation.hasCall(id));
  yield* append(found.response, context);
  const result: NodeResult = { ...NOTHING, reason: truncated ? "truncated" : null, filtered, found };
  return found.calls.length === 0 ? result : { ...result, ...(yield* dispatchTools(found, context)) };
}

async function* dispatchTools(
  found: FoundCalls,
  context: RequestContext,
): AsyncGenerator<AgentEvent, Pick<NodeResult, "returns" | "reached">> {
  context.state.transitionTo("tool_execution");
  const reached = reachedLimit(context.budget, found.calls.length);
  const problems = reached === null ? found.problems : refuseAll(found, reached);
  context.batch++;
  charge(context.budget, { toolCalls: reached === null ? found.calls.length : 0 });
  const events = dispatch({ number: context.batch, calls: found.calls, problems }, context);
  while (true) {
    const next = await events.next();
    if (next.done) return { returns: next.value, reached };
    trackCalls(next.value, context);
    yield next.value;
  }
}

function refuseAll(found: FoundCalls, reached: ReachedLimit): Map<string, string> {
  const why = `Not run: ${describeLimit(reached)} is reached.`;
  return new Map(found.calls.map((call) => [call.toolCallId, why]));
}
