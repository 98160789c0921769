// The contract's calls, with callbacks, over the event stream.

import { untilAbort } from "../base/abort.ts";
import { defined } from "../base/defined.ts";
import type { JsonObject } from "../base/json.ts";
import { type Content, contentText } from "../domain/content.ts";
import { Conversation } from "../domain/conversation.ts";
import { errorMessage, GlobalRequestTimeoutError, ListenerFailure, UserAbortError } from "../domain/error.ts";
import type { AgentEvent, Outcome } from "../domain/event.ts";
import { type ModelName, newRequestId } from "../domain/ids.ts";
import type { Model } from "../domain/model.ts";
import type { ReturnStatus, ToolCallPart } from "../domain/part.ts";
import { type AgentRun, agentRun } from "../loop/agent-run.ts";
import { chargeCall } from "../loop/call-meter.ts";
import { startDeadline } from "../loop/deadline.ts";
import { isRequestNode, type Node } from "../loop/node.ts";
import { nodeEvents } from "../loop/process-node.ts";
import { newRequestContext, type RequestContext } from "../loop/request-context.ts";
import type { ResponseState } from "../loop/response-state.ts";
import { reduceEvent } from "../session/reduce.ts";
import type { StateManager } from "./agent.ts";
import { loopPorts, type RequestOptions, runRequest } from "./run-request.ts";

export interface RequestCallbacks {
  /** Throwing fails the request. */
  readonly streamingCallback?: (text: string) => Promise<void>;
  /** After permission and before execution. Throwing fails the call; a UserAbortError stops the request. */
  readonly toolCallback?: (call: ToolCallPart, node: Node) => Promise<void>;
  // The rest is for display: what they throw is logged and doesn't affect the request.
  readonly toolResultCallback?: (
    name: string,
    status: ReturnStatus,
    args: JsonObject,
    result: string | null,
    durationMs: number | null,
  ) => void;
  readonly toolStartCallback?: (label: string) => void;
  readonly toolProgressCallback?: (text: string) => void;
  readonly noticeCallback?: (text: string) => void;
}

/** Resolves when the request is over; throws on aborted, timed-out and failed. */
export async function processRequest(
  message: Content,
  model: ModelName | Model,
  stateManager: StateManager,
  callbacks: RequestCallbacks = {},
  options: RequestOptions = {},
): Promise<AgentRun> {
  const controller = options.controller ?? new AbortController();
  let context: RequestContext | undefined;
  const events = runRequest(message, model, stateManager, {
    ...options,
    controller,
    beforeExecute: beforeExecute(callbacks, () => context, options.beforeExecute),
    onContext: (made) => {
      context = made;
      options.onContext?.(made);
    },
  });
  const outcome = await deliver(events, callbacks, controller, stateManager);
  if (context === undefined) throw new Error("The request ended before it began.");
  throwUnlessOver(outcome, controller.signal);
  return agentRun(context, outcome);
}

/** One node's seven phases on a session, outside of a request: for programs that drive a model themselves. */
export async function processNode(
  node: Node,
  stateManager: StateManager,
  callbacks: RequestCallbacks = {},
  options: { responseState?: ResponseState; controller?: AbortController } = {},
): Promise<{ isEmpty: boolean; reason: "empty" | "truncated" | null }> {
  const { session, ports } = stateManager;
  const { controller = new AbortController() } = options;
  const deadline = startDeadline(0, ports.clock, () => {});
  const model = await ports.createModel(session.currentModel);
  const loop = loopPorts(model, "", stateManager, deadline, controller, {
    beforeExecute: beforeExecute(callbacks, () => context),
  });
  const registry = session.runtime.toolRegistry;
  // Its messages are left to the caller: in the session they would be calls without answers.
  const conversation = new Conversation(session.conversation.messages);
  const fresh = newRequestContext(
    { requestId: newRequestId(), prompt: session.task.originalQuery, conversation, registry },
    loop,
  );
  const context = {
    ...fresh,
    batch: session.runtime.batchCounter,
    ...defined({ state: options.responseState }),
  };
  // The caller made the model call, so nothing has been charged for it yet.
  if (!isRequestNode(node) && node.usage !== null) chargeCall(node.usage, model, context);
  const { isEmpty, reason } = await deliver(
    nodeEvents(node, context),
    callbacks,
    controller,
    stateManager,
    (event) => (event.type === "message-end" ? conversation.fold(event) : reduceEvent(session, event)),
  );
  return { isEmpty, reason };
}

function beforeExecute(
  callbacks: RequestCallbacks,
  context: () => RequestContext | undefined,
  own?: RequestOptions["beforeExecute"],
) {
  return async (call: ToolCallPart): Promise<JsonObject | undefined> => {
    const args = await own?.(call);
    // Changed arguments are decided on again, and this function is called again with them.
    if (args !== undefined && JSON.stringify(args) !== JSON.stringify(call.args)) return args;
    const node = context()?.nodes.at(-1);
    if (node !== undefined) await callbacks.toolCallback?.(call, node);
    return undefined;
  };
}

async function deliver<Result>(
  events: AsyncGenerator<AgentEvent, Result>,
  callbacks: RequestCallbacks,
  controller: AbortController,
  { ports }: StateManager,
  fold: (event: AgentEvent) => void = () => {},
): Promise<Result> {
  while (true) {
    const next = await events.next();
    if (next.done) return next.value;
    fold(next.value);
    if (next.value.type === "text-delta") await stream(next.value.text, callbacks, controller);
    else
      display(next.value, callbacks).catch((error) =>
        ports.log("a display callback failed", errorMessage(error)),
      );
  }
}

/** A listener that can't show the answer fails the request; a broken panel doesn't. */
async function stream(
  text: string,
  { streamingCallback }: RequestCallbacks,
  controller: AbortController,
): Promise<void> {
  if (streamingCallback === undefined) return;
  try {
    await untilAbort(Promise.resolve(streamingCallback(text)), controller.signal);
  } catch (error) {
    controller.abort(error instanceof UserAbortError ? error : new ListenerFailure(error));
  }
}

/** Not awaited, so that a panel that hangs delays nothing. It is async, so that a throw becomes a rejection. */
async function display(event: AgentEvent, callbacks: RequestCallbacks): Promise<void> {
  switch (event.type) {
    case "batch-start":
      return callbacks.toolStartCallback?.(event.label);
    case "tool-progress":
      return callbacks.toolProgressCallback?.(event.text);
    case "notice":
      return callbacks.noticeCallback?.(event.text);
    case "tool-end": {
      const { toolName, status, args, result, durationMs } = event;
      return callbacks.toolResultCallback?.(toolName, status, args, contentText(result.content), durationMs);
    }
    default:
  }
}

function throwUnlessOver(outcome: Outcome, signal: AbortSignal): void {
  switch (outcome.type) {
    case "completed":
    case "limit":
      return;
    case "aborted":
      throw signal.aborted ? signal.reason : new UserAbortError();
    case "timed-out":
      throw new GlobalRequestTimeoutError(outcome.seconds);
    case "failed":
      throw outcome.error;
  }
}
