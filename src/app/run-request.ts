// One request on a session, as a stream of events. Every durable event is safe before anyone sees it.
import { abortReason, untilAbort } from "../base/abort.ts";
import type { JsonObject } from "../base/json.ts";
import { type Content, isBlankContent, isContent } from "../domain/content.ts";
import { TunacodeError, UserAbortError } from "../domain/error.ts";
import type { AgentEvent, Outcome } from "../domain/event.ts";
import { type ModelName, newRequestId, type RequestId } from "../domain/ids.ts";
import type { Model } from "../domain/model.ts";
import type { ToolCallPart } from "../domain/part.ts";
import { historyTokens } from "../domain/tokens.ts";
import type { Tool } from "../domain/tool.ts";
import { prepareHistory } from "../history/prepare.ts";
import { type Deadline, requestTimeoutSeconds, startDeadline } from "../loop/deadline.ts";
import {
  type LoopHistory,
  type LoopPorts,
  newRequestContext,
  type RequestContext,
} from "../loop/request-context.ts";
import { requestLoop } from "../loop/request-loop.ts";
import { reduceEvent } from "../session/reduce.ts";
import type { SessionState } from "../session/state.ts";
import type { AgentPorts, StateManager } from "./agent.ts";
import { takeTurn } from "./request-turn.ts";
import { summariseWith } from "./summarise.ts";

export interface RequestOptions {
  /** Aborted by whoever started the request: Escape, Ctrl-C, a closed window. */
  readonly controller?: AbortController;
  readonly requestId?: RequestId;
  /** Messages a person sent meanwhile. */
  readonly takeSteering?: () => readonly Content[];
  /** Other arguments that it gives back are checked and decided on anew. */
  readonly beforeExecute?: (call: ToolCallPart) => Promise<JsonObject | undefined>;
  /** Gets the context before the first event: for whoever builds an AgentRun. */
  readonly onContext?: (context: RequestContext) => void;
}

/**
 * Waits for its turn, and throws what keeps it from beginning; from then on every end is an outcome. Whoever stops
 * listening before the end has stopped the request.
 */
export async function* runRequest(
  given: Content,
  model: Model | ModelName,
  manager: StateManager,
  options: RequestOptions = {},
): AsyncGenerator<AgentEvent, Outcome> {
  const { session, agent } = manager;
  const { controller = new AbortController(), requestId = newRequestId() } = options;
  const { signal } = controller;
  const prompt = agent.maskPrompt(checkedPrompt(given));
  const timeoutSeconds = requestTimeoutSeconds(agent.requestTimeoutSeconds);
  const endTurn = await takeTurn(session, signal);
  const deadline = startDeadline(timeoutSeconds, agent.clock, (error) => controller.abort(error));
  try {
    // While the disk makes the prompt safe, what the request needs is loaded. Nothing is sent before both are done.
    const [saved, made, system] = await Promise.allSettled([
      agent.record.prompt(prompt, requestId),
      typeof model === "string" ? afterDisk().then(() => createModel(model, agent, signal)) : model,
      unlessAborted(agent.systemPrompt(), signal, ""),
    ]);
    if (saved.status === "rejected") throw saved.reason;
    if (made.status === "rejected") throw made.reason;
    if (system.status === "rejected") throw system.reason;
    session.task.originalQuery = typeof prompt === "string" ? prompt : JSON.stringify(prompt);
    const registry = session.runtime.toolRegistry;
    registry.clear();

    const baseline = session.conversation.messages.length;
    const prepared = prepareHistory(session.conversation.messages, { newMessage: true });
    const ports = loopPorts(made.value, system.value, manager, deadline, controller, options);
    const context = newRequestContext({ requestId, prompt, history: prepared.messages, registry }, ports);
    options.onContext?.(context);
    if (prepared.messages !== session.conversation.messages) {
      const repair = { type: "repair", ...prepared } as const;
      await save(repair, manager);
      yield repair;
    }
    return yield* savedEvents(context, baseline, manager, controller);
  } finally {
    deadline.release();
    endTurn();
  }
}

/** Lets the disk begin: loading keeps this thread to itself, and a record that is not on its way by then has to wait. */
function afterDisk(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Blank words are no request: no vendor takes them, and the conversation would be invalid with them. */
function checkedPrompt(given: unknown): Content {
  if (!isContent(given))
    throw new TunacodeError("usage", "A message is text, or a list of texts and images.");
  if (isBlankContent(given)) throw new TunacodeError("usage", "The message is empty.");
  return given;
}

/** Once a request is stopped its model is never asked, so that a name is all it needs to close the turn. */
function createModel(name: ModelName, agent: AgentPorts, signal: AbortSignal): Promise<Model> {
  const stream = () => {
    throw abortReason(signal);
  };
  return unlessAborted(agent.createModel(name), signal, { name, stream });
}

async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  standIn: Value,
): Promise<Value> {
  try {
    return await untilAbort(work, signal);
  } catch (error) {
    if (signal.aborted) return standIn;
    throw error;
  }
}

async function* savedEvents(
  context: RequestContext,
  baseline: number,
  manager: StateManager,
  controller: AbortController,
): AsyncGenerator<AgentEvent, Outcome> {
  const { session } = manager;
  const events = requestLoop(context);
  let isOver = false;
  const saveNext = async (event: AgentEvent) => {
    isOver = event.type === "request-end";
    if (isOver) persist(session, baseline, context.history);
    await save(event, manager);
  };
  try {
    while (true) {
      const next = await events.next();
      if (next.done) return next.value;
      await saveNext(next.value);
      yield next.value;
    }
  } finally {
    if (!isOver) {
      // Nobody listens any more, or something threw that never should: the turn is closed all the same.
      controller.abort(new UserAbortError());
      for await (const event of events) await saveNext(event).catch(() => {});
      if (!isOver) persist(session, baseline, context.history);
    }
  }
}

async function save(event: AgentEvent, { session, agent }: StateManager): Promise<void> {
  reduceEvent(session, event);
  await agent.record.event(event);
}

/** The run is the authority on its messages; what others appended meanwhile follows. */
function persist(session: SessionState, baseline: number, { messages, tokens }: LoopHistory): void {
  const external = session.conversation.messages.slice(baseline);
  session.conversation.messages = messages.concat(external);
  session.conversation.totalTokens =
    external.length === 0 ? tokens : historyTokens(session.conversation.messages);
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
    takeSteering: () => (options.takeSteering?.() ?? []).filter(isContent).map(agent.maskPrompt),
    ...(askToGoOn === undefined
      ? {}
      : { askToGoOn: (reached, signal) => deadline.pausedWhile(() => askToGoOn(reached, signal)) }),
  };
}
