// Decides what comes after a response. The only normal end is a response without calls.
import { type Content, isBlankContent } from "../domain/content.ts";
import { TunacodeError } from "../domain/error.ts";
import type { ReachedLimit } from "../domain/limits.ts";
import { type Request, visibleText } from "../domain/message.ts";
import type { RequestPart, RetryPromptPart } from "../domain/part.ts";
import type { EmptyBecause } from "./empty-response.ts";
import type { NodeResult } from "./process-node.ts";
import { noteCalls } from "./repeated-calls.ts";
import type { RequestContext } from "./request-context.ts";

type NextStep =
  | { readonly type: "done"; readonly notice: string | null }
  /** reached: the request is appended to the conversation, but the model is not asked again. */
  | { readonly type: "continue"; readonly request: Request; readonly reached: ReachedLimit | null }
  | { readonly type: "ask-again"; readonly why: EmptyBecause };

/** How often in a row the model is told that its call, written as text, can't be used. */
const MAX_UNUSABLE_CALLS = 3;
/** How often the model is asked again for an answer that can be used. */
const MAX_WRONG_ANSWERS = 2;

export function nextStep(result: NodeResult, context: RequestContext): NextStep {
  if (result.isEmpty)
    return { type: "ask-again", why: result.filtered ? "filtered" : (result.reason ?? "empty") };
  context.emptyResponses = 0;
  const { found, returns } = result;
  if (found !== null && returns.length > 0) {
    context.unusableCalls = 0;
    const remark = noteCalls(context.repeatedCalls, found.calls, returns);
    // A blank prompt would make the conversation invalid.
    const steering = context.takeSteering().filter((content) => !isBlankContent(content));
    const prompts = steering.length === 0 ? [] : promptParts(steering, context);
    const remarks = [found.remark, remark].filter((text) => text !== null).map(remarkPart);
    const parts: RequestPart[] = [...returns, ...remarks, ...prompts];
    return { type: "continue", request: { kind: "request", parts }, reached: result.reached };
  }
  if (found !== null && found.remark !== null && context.unusableCalls < MAX_UNUSABLE_CALLS) {
    context.unusableCalls++;
    return {
      type: "continue",
      request: { kind: "request", parts: [remarkPart(found.remark)] },
      reached: null,
    };
  }
  const problem = found === null ? null : (context.checkAnswer?.(visibleText(found.response)) ?? null);
  if (problem !== null) return askAgain(problem, context);
  return { type: "done", notice: cutNotice(result) };
}

function askAgain(problem: string, context: RequestContext): NextStep {
  if (context.wrongAnswers === MAX_WRONG_ANSWERS) throw new TunacodeError("output_schema", problem);
  context.wrongAnswers++;
  return { type: "continue", request: { kind: "request", parts: [remarkPart(problem)] }, reached: null };
}

/** The last attempt is made without tools: some servers hold an answer to a schema only then. */
export function isLastAttempt({ wrongAnswers }: RequestContext): boolean {
  return wrongAnswers === MAX_WRONG_ANSWERS;
}

function cutNotice({ reason, filtered }: NodeResult): string | null {
  if (filtered) return "The answer was cut off by the vendor's content filter. Ask in another way.";
  return reason === "truncated"
    ? "The answer was cut off by the model's output limit. Ask it to go on."
    : null;
}

export function promptRequest(context: RequestContext): Request {
  return { kind: "request", parts: promptParts([context.prompt], context) };
}

function remarkPart(content: string): RetryPromptPart {
  return { kind: "retry-prompt", content };
}

/** The remarks are parts of their own: titles, lists and transcripts show only what the person wrote. */
function promptParts(contents: readonly Content[], context: RequestContext): RequestPart[] {
  const timestamp = new Date(context.clock.now()).toISOString();
  const prompts = contents.map((content): RequestPart => ({ kind: "user-prompt", content, timestamp }));
  return [...context.takeRemarks().map(remarkPart), ...prompts];
}
