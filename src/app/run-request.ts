// One request on a session, as a stream of events. Every durable event is safe before anyone sees it.

import { abortReason, inTime } from "../base/abort.ts";
import { defined } from "../base/defined.ts";
import type { JsonObject } from "../base/json.ts";
import { type Content, isBlankContent, isContent } from "../domain/content.ts";
import { TunacodeError, UserAbortError } from "../domain/error.ts";
import type { AgentEvent, Outcome } from "../domain/event.ts";
import { type ModelName, newRequestId, type RequestId } from "../domain/ids.ts";
import type { Model } from "../domain/model.ts";
import type { ToolCallPart } from "../domain/part.ts";
import type { Tool } from "../domain/tool.ts";
import { prepareHistory } from "../history/prepare.ts";
import { type Deadline, requestTimeoutSeconds, startDeadline } from "../loop/deadline.ts";
import { type LoopPorts, newRequestContext, type RequestContext } from "../loop/request-context.ts";
import { requestLoop } from "../loop/request-loop.ts";
import { beginRequest, reduceEvent } from "../session/reduce.ts";
import type { AgentPorts, StateManager } from "./agent.ts";
import { eventsWithChanges } from "./events-with-changes.ts";
import { maskContent } from "./mask-content.ts";
import { modelLine } from "./model-line.ts";
import { answerProblem, schemaInstructions } from "./output-schema.ts";
import { takeTurn } from "./request-turn.ts";
import { shownEvent } from "./shown-event.ts";
import { summariser } from "./summariser.ts";

export interface RequestOptions {
  /** Aborted by the caller: on Escape, Ctrl-C, or a closed window. */
  readonly controller?: AbortController;
  readonly requestId?: RequestId;
  /** The message is the last prompt, which was never answered and which the person got back, changed or not. */
  readonly replacesUnanswered?: boolean;
  /** Messages a person sent meanwhile. */
  readonly takeSteering?: () => readonly Content[];
  /** What the model is told with a prompt besides the person's words, with the first one and with steering. */
  readonly takeRemarks?: () => readonly string[];
  /** If it returns other arguments, they are checked and decided on again. */
  readonly beforeExecute?: (call: ToolCallPart) => Promise<JsonObject | undefined>;
  /** A JSON Schema that the last answer has to fit. The model is told, and asked again at most twice. */
  readonly outputSchema?: JsonObject;
  /** Receives the context before the first event, to build an AgentRun from it. */
  readonly onContext?: (context: RequestContext) => void;
}

/**
 * Waits for its turn, and throws if it can't begin; after that every end is an outcome. Ending the iteration early
 * stops the request.
 */
export async function* runRequest(
  given: Content,
  model: Model | ModelName,
  manager: StateManager,
  options: RequestOptions = {},
): AsyncGenerator<AgentEvent, Outcome> {
  const { session, ports } = manager;
  const { controller = new AbortController(), requestId = newRequestId() } = options;
  const { signal } = controller;
  const prompt = maskContent(checkedPrompt(given), ports.mask);
  const timeoutSeconds = requestTimeoutSeconds(ports.loop.requestTimeoutSeconds);
  const endTurn = await takeTurn(session, signal);
  const deadline = startDeadline(timeoutSeconds, ports.clock, (error) => controller.abort(error));
  try {
    // While the prompt is flushed to disk, what the request needs is loaded. Nothing is sent before both are done.
    const [saved, made, system] = await Promise.allSettled([
      ports.record.prompt(prompt, requestId),
      typeof model === "string" ? createModel(model, ports, signal) : model,
      inTime(ports.systemPrompt(), signal),
    ]);
    if (saved.status === "rejected") throw saved.reason;
    if (made.status === "rejected") throw made.reason;
    if (system.status === "rejected") throw system.reason;
    const { conversation } = session;
    const registry = session.runtime.toolRegistry;
    const loop = loopPorts(made.value, system.value ?? "", manager, deadline, controller, options);
    const context = newRequestContext({ requestId, prompt, conversation, registry }, loop);
    options.onContext?.(context);
    beginRequest(session, { requestId, model: made.value.name, prompt });
    return yield* savedEvents(context, manager, controller, options.replacesUnanswered);
  } finally {
    deadline.release();
    endTurn();
  }
}

/** A blank prompt is refused, because no vendor accepts one and it would make the conversation invalid. */
function checkedPrompt(given: unknown): Content {
  if (!isContent(given))
    throw new TunacodeError("usage", "A message is text, or a list of texts and images.");
  if (isBlankContent(given)) throw new TunacodeError("usage", "The message is empty.");
  return given;
}

/** After an abort the model is never asked: its name is enough to close the turn. */
async function createModel(name: ModelName, ports: AgentPorts, signal: AbortSignal): Promise<Model> {
  const stream = () => {
    throw abortReason(signal);
  };
  // Lets the write of the prompt start first: loading blocks this thread, and the write would have to wait.
  await new Promise(setImmediate);
  return (await inTime(ports.createModel(name), signal)) ?? { name, stream };
}

/** Repairs the history first, so that a new message can follow it. */
async function* preparedLoop(
  context: RequestContext,
  replacesUnanswered = false,
): AsyncGenerator<AgentEvent, Outcome> {
  const { prompt, conversation } = context;
  const { messages } = conversation;
  const prepared = prepareHistory(messages, { newMessage: true, prompt, replacesUnanswered });
  if (prepared.messages !== messages) yield { type: "repair", ...prepared };
  return yield* requestLoop(context);
}

async function* savedEvents(
  context: RequestContext,
  manager: StateManager,
  controller: AbortController,
  replacesUnanswered: boolean | undefined,
): AsyncGenerator<AgentEvent, Outcome> {
  const { changes } = manager.ports;
  const bare = preparedLoop(context, replacesUnanswered);
  const events = changes === undefined ? bare : eventsWithChanges(bare, changes);
  let isOver = false;
  const saveNext = async (event: AgentEvent) => {
    isOver = event.type === "request-end";
    await save(event, manager);
  };
  try {
    while (true) {
      const next = await events.next();
      if (next.done) return next.value;
      await saveNext(next.value);
      yield shownEvent(next.value, manager.ports.mask);
    }
  } finally {
    if (!isOver) {
      // Nobody listens any more, or there was a bug. The turn is closed anyway.
      controller.abort(new UserAbortError());
      for await (const event of events) await saveNext(event).catch(() => {});
      if (!isOver) reduceEvent(manager.session, { type: "request-end", outcome: { type: "aborted" } });
    }
  }
}

/** The loop relies on this: its events are in the conversation when it continues. */
async function save(event: AgentEvent, { session, ports }: StateManager): Promise<void> {
  reduceEvent(session, event);
  await ports.record.event(event);
}

export function loopPorts(
  model: Model,
  system: string,
  { session, ports }: StateManager,
  deadline: Deadline,
  controller: AbortController,
  options: RequestOptions,
): LoopPorts {
  const { askToGoOn, loop: settings } = ports;
  const { outputSchema } = options;
  /** The time that a person takes doesn't count. */
  const paused =
    <Given extends unknown[], Value>(ask: (...given: Given) => Promise<Value>) =>
    (...given: Given): Promise<Value> =>
      deadline.pausedWhile(() => ask(...given));
  const timed = (tool: Tool): Tool =>
    tool.asksPerson ? { ...tool, execute: paused(tool.execute.bind(tool)) } : tool;
  const line = modelLine(model, ports);
  return {
    line,
    system,
    tools: new Map(ports.tools.map((tool) => [tool.name, timed(tool)])),
    permit: paused(ports.permit),
    ...defined({
      beforeExecute: options.beforeExecute,
      askToGoOn: askToGoOn && paused(askToGoOn),
      changes: ports.changes,
    }),
    ...(outputSchema !== undefined && {
      outputSchema,
      checkAnswer: (text: string) => answerProblem(text, outputSchema),
      system: `${system}\n\n${schemaInstructions(outputSchema)}`,
    }),
    keepAside: ports.keepAside,
    clock: ports.clock,
    random: ports.random,
    width: ports.parallelWidth,
    signal: controller.signal,
    pausedWhile: deadline.pausedWhile,
    stop: (reason) => controller.abort(reason),
    budget: ports.budget,
    settings,
    summarise: summariser(line, ports),
    activeMs: deadline.activeMs,
    mask: ports.mask,
    takeSteering: () =>
      steering(options, controller.signal).map((content) => maskContent(content, ports.mask)),
    takeRemarks: () => [...session.untold, ...(options.takeRemarks?.() ?? [])],
  };
}

/** After a stop nobody would answer it, so it stays with its sender. */
function steering({ takeSteering }: RequestOptions, signal: AbortSignal): readonly Content[] {
  return signal.aborted ? [] : (takeSteering?.() ?? []).filter(isContent);
}
