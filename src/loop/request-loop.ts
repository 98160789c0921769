// One user request, from prompt to last answer: ask, process, append, until there is nothing left to run.
import { untilAbort } from "../base/abort.ts";
import { EmptyResponseError } from "../domain/error.ts";
import type { AgentEvent, Outcome } from "../domain/event.ts";
import { chargeTime, describeLimit, LimitReachedError, type ReachedLimit } from "../domain/limits.ts";
import { closeTurn, outcomeOf } from "./abort.ts";
import { append } from "./append.ts";
import { askModel, withRemark } from "./ask-model.ts";
import { spendingEvents } from "./call-meter.ts";
import {
  type EmptyBecause,
  emptyResponseNotice,
  MAX_EMPTY_RESPONSES,
  nudge,
  RECENT_TOOLS,
} from "./empty-response.ts";
import { isLastAttempt, nextStep, promptRequest } from "./next-step.ts";
import type { ResponseNode } from "./node.ts";
import { nodeEvents } from "./process-node.ts";
import { forgetCalls, stuckAt } from "./repeated-calls.ts";
import type { RequestContext } from "./request-context.ts";
import { unknownPrice } from "./unknown-price.ts";

export async function* requestLoop(context: RequestContext): AsyncGenerator<AgentEvent, Outcome> {
  yield { type: "request-start", requestId: context.requestId, model: context.model.name };
  const blind = unknownPrice(context);
  if (blind !== null) yield { type: "notice", text: blind };
  const callsBefore = context.budget.spent.toolCalls;
  const endTime = chargeTime(context.budget, context.activeMs);
  let outcome: Outcome;
  try {
    outcome = yield* converse(context);
  } catch (error) {
    outcome = yield* closeAfter(error, context);
  } finally {
    endTime();
  }
  // What a call that failed or was stopped has cost.
  yield* spendingEvents(context.spent);
  const toolCalls = context.budget.spent.toolCalls - callsBefore;
  const work = { wallMs: Math.round(context.activeMs()), toolCalls };
  context.messagesAtEnd = context.conversation.messages.slice();
  yield { type: "request-end", outcome, work };
  return outcome;
}

/** Whether abort, deadline, limit, vendor or bug: the turn is closed first, and the error is returned as data. */
async function* closeAfter(error: unknown, context: RequestContext): AsyncGenerator<AgentEvent, Outcome> {
  if (error instanceof LimitReachedError && !context.signal.aborted)
    return yield* stopAt(error.reached, context);
  yield* closeTurn(context);
  return outcomeOf(error, context.signal);
}

async function* converse(context: RequestContext): AsyncGenerator<AgentEvent, Outcome> {
  let request = promptRequest(context);
  /** Sent with one model call only. */
  let remark: string | null = null;
  yield* append(request, context);
  while (true) {
    yield* nodeEvents({ request: withRemark(request, remark) }, context);
    if (context.state.taskCompleted) {
      yield* closeTurn(context, "The task was marked as completed.");
      return { type: "completed" };
    }
    const reached = (await iterationsReached(context)) ?? (await repeatsReached(context));
    if (reached !== null) return yield* sumUp(reached, context);

    const question = isLastAttempt(context) ? ({ remark, toolChoice: "none" } as const) : { remark };
    const node = yield* askModel(question, context);
    const result = yield* nodeEvents(node, context);
    const step = nextStep(result, context);
    switch (step.type) {
      case "done":
        if (step.notice !== null) yield { type: "notice", text: step.notice };
        return { type: "completed" };
      case "continue":
        request = step.request;
        remark = null;
        yield* append(request, context);
        if (step.reached !== null) return yield* stopAt(step.reached, context);
        break;
      case "ask-again":
        yield* noteEmptyResponse(step.why, context);
        remark = nudge(step.why);
        break;
    }
  }
}

async function* noteEmptyResponse(
  why: EmptyBecause,
  context: RequestContext,
): AsyncGenerator<AgentEvent, void> {
  context.emptyResponses++;
  const isLast = context.emptyResponses > MAX_EMPTY_RESPONSES;
  const recent = context.registry.recent(RECENT_TOOLS);
  const text = emptyResponseNotice(context.prompt, recent, why, !isLast);
  yield { type: "notice", text, emptyResponses: context.emptyResponses };
  if (isLast) throw new EmptyResponseError(context.emptyResponses);
}

async function iterationsReached(context: RequestContext): Promise<ReachedLimit | null> {
  if (context.iteration < context.iterationsAllowed) return null;
  const reached = {
    limit: "iterations",
    allowed: context.iterationsAllowed,
    spent: context.iteration,
  } as const;
  if (!(await isToGoOn(reached, context))) return reached;
  context.iterationsAllowed += context.maxIterations;
  return null;
}

async function repeatsReached(context: RequestContext): Promise<ReachedLimit | null> {
  const reached = stuckAt(context.repeatedCalls);
  if (reached === null || !(await isToGoOn(reached, context))) return reached;
  forgetCalls(context.repeatedCalls);
  return null;
}

/** Without a person nobody says yes. */
async function isToGoOn(reached: ReachedLimit, { askToGoOn, signal }: RequestContext): Promise<boolean> {
  return askToGoOn !== undefined && (await untilAbort(askToGoOn(reached, signal), signal));
}

/** Makes one last model call without tools, so that the request doesn't end without a summary of its work. */
async function* sumUp(reached: ReachedLimit, context: RequestContext): AsyncGenerator<AgentEvent, Outcome> {
  const limit = describeLimit(reached);
  yield { type: "notice", text: `Stopping: ${limit} is reached. The model is asked to sum up.` };
  const remark = `No more tools can be called: ${limit} is reached. Sum up what was done, what is left, and how to go on.`;
  const node = yield* askModel({ remark, toolChoice: "none" }, context);
  yield* nodeEvents(withoutCalls(node), context, new Map());
  yield* closeTurn(context, `Stopped: ${limit} is reached.`);
  return { type: "limit", reached };
}

async function* stopAt(reached: ReachedLimit, context: RequestContext): AsyncGenerator<AgentEvent, Outcome> {
  yield* closeTurn(context, `Stopped: ${describeLimit(reached)} is reached.`);
  return { type: "limit", reached };
}

function withoutCalls(node: ResponseNode): ResponseNode {
  const { modelResponse } = node;
  const parts = modelResponse.parts.filter((part) => part.kind !== "tool-call");
  return { ...node, modelResponse: { ...modelResponse, parts } };
}
