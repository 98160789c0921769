// One request on a session, as a stream of events. Every durable event is safe before anyone sees it.
import type { Content } from "../domain/content.ts";
import type { AgentEvent, Outcome } from "../domain/event.ts";
import { type ModelName, newRequestId, type RequestId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import type { Model } from "../domain/model.ts";
import type { ToolCallPart } from "../domain/part.ts";
import { historyTokens } from "../domain/tokens.ts";
import type { Tool } from "../domain/tool.ts";
import { prepareHistory } from "../history/prepare.ts";
import { type Deadline, startDeadline } from "../loop/deadline.ts";
import { type LoopPorts, newRequestContext, type RequestContext } from "../loop/request-context.ts";
import { requestLoop } from "../loop/request-loop.ts";
import { reduceEvent } from "../session/reduce.ts";
import type { SessionState } from "../session/state.ts";
import type { StateManager } from "./agent.ts";
import { summariseWith } from "./summarise.ts";

export interface RequestOptions {
  /** Aborted by whoever started the request: Escape, Ctrl-C, a closed window. */
  readonly controller?: AbortController;
  readonly requestId?: RequestId;
  /** Messages a person sent meanwhile. */
  readonly takeSteering?: () => readonly Content[];
  readonly beforeExecute?: (call: ToolCallPart) => Promise<void>;
  /** Gets the context before the first event: for whoever builds an AgentRun. */
  readonly onContext?: (context: RequestContext) => void;
}

export async function* runRequest(
  given: Content,
  model: Model | ModelName,
  manager: StateManager,
  options: RequestOptions = {},
): AsyncGenerator<AgentEvent, Outcome> {
  const { session, agent } = manager;
  const { controller = new AbortController(), requestId = newRequestId() } = options;
  const prompt = agent.maskPrompt(given);
  // While the disk makes the prompt safe, what the request needs is loaded. Nothing is sent before both are done.
  const [, made, system] = await Promise.allSettled([
    agent.record.prompt(prompt, requestId),
    typeof model === "string" ? agent.createModel(model) : model,
    agent.systemPrompt(),
  ]);
  session.task.originalQuery = typeof prompt === "string" ? prompt : JSON.stringify(prompt);
  session.runtime.toolRegistry.clear();

  const baseline = session.conversation.messages.length;
  const prepared = prepareHistory(session.conversation.messages, { newMessage: true });
  const deadline = startDeadline(agent.requestTimeoutSeconds, agent.clock, (error) =>
    controller.abort(error),
  );
  try {
    if (made.status === "rejected") throw made.reason;
    if (system.status === "rejected") throw system.reason;
    const ports = loopPorts(made.value, system.value, manager, deadline, controller, options);
    const registry = session.runtime.toolRegistry;
    const context = newRequestContext({ requestId, prompt, history: prepared.messages, registry }, ports);
    options.onContext?.(context);
    if (prepared.messages !== session.conversation.messages) {
      yield* saved({ type: "repair", ...prepared }, manager);
    }
    const events = requestLoop(context);
    while (true) {
      const next = await events.next();
      if (next.done) return next.value;
      if (next.value.type === "request-end") persist(session, baseline, context.history.messages);
      yield* saved(next.value, manager);
    }
  } finally {
    deadline.release();
  }
}

async function* saved(event: AgentEvent, { session, agent }: StateManager): AsyncGenerator<AgentEvent, void> {
  reduceEvent(session, event);
  await agent.record.event(event);
  yield event;
}

/** The run is the authority on its messages; what others appended meanwhile follows. */
function persist(session: SessionState, baseline: number, messages: readonly Message[]): void {
  const external = session.conversation.messages.slice(baseline);
  session.conversation.messages = [...messages, ...external];
  session.conversation.totalTokens = historyTokens(session.conversation.messages);
  session.lastModified = new Date().toISOString();
}

function withPersonsTime(tool: Tool, deadline: Deadline): Tool {
  if (tool.asksPerson !== true) return tool;
  return { ...tool, execute: (args, context) => deadline.pausedWhile(() => tool.execute(args, context)) };
}

export function loopPorts(
  model: Model,
  system: string,
  { agent }: StateManager,
  deadline: Deadline,
  controller: AbortController,
  options: RequestOptions,
): LoopPorts {
  const { askToGoOn, maxOutputTokens } = agent;
  return {
    model,
    system,
    tools: new Map(agent.tools.map((tool) => [tool.name, withPersonsTime(tool, deadline)])),
    permit: (call, tool, signal) => deadline.pausedWhile(() => agent.permit(call, tool, signal)),
    ...(options.beforeExecute === undefined ? {} : { beforeExecute: options.beforeExecute }),
    keepAside: agent.keepAside,
    clock: agent.clock,
    random: agent.random,
    width: agent.parallelWidth,
    signal: controller.signal,
    stop: (reason) => controller.abort(reason),
    budget: agent.budget,
    maxIterations: agent.maxIterations,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    summarise: summariseWith(model),
    activeMs: deadline.activeMs,
    takeSteering: options.takeSteering ?? (() => []),
    ...(askToGoOn === undefined
      ? {}
      : { askToGoOn: (reached, signal) => deadline.pausedWhile(() => askToGoOn(reached, signal)) }),
  };
}
