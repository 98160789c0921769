// One model call. If it fails, the remedies are tried in order, and the call is made again after the first that helps.

import { abortReason } from "../base/abort.ts";
import { defined } from "../base/defined.ts";
import { errorCode } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { Request } from "../domain/message.ts";
import type { ModelRequest } from "../domain/model.ts";
import { fallBack, noteAnswer, takeModel } from "./fall-back.ts";
import { fitContext } from "./fit-context.ts";
import type { ResponseNode } from "./node.ts";
import type { FailedCall, FailedModel, Remedy } from "./remedy.ts";
import type { RequestContext } from "./request-context.ts";
import { messagesToSend, rememberForm, simplerForm } from "./simpler-form.ts";
import { streamResponse } from "./streaming.ts";
import { withoutSchema } from "./without-schema.ts";

interface ModelQuestion {
  /** Sent to the model with this call only; not part of the conversation. */
  readonly remark: string | null;
  readonly toolChoice?: "none";
}

const REMEDIES: readonly Remedy[] = [withoutSchema, simplerForm, makeRoom, fallBack];

export async function* askModel(
  question: ModelQuestion,
  context: RequestContext,
): AsyncGenerator<AgentEvent, ResponseNode> {
  yield* takeModel(context);
  yield* fitContext(context, false);
  context.iteration++;
  yield { type: "node-start", iteration: context.iteration };
  context.triedForm = undefined;
  // What an earlier answer has shown must never be saved as this one's.
  context.partialText = "";
  const tried = new Set<string>();
  const failures: FailedModel[] = [];
  while (true) {
    if (context.signal.aborted) throw abortReason(context.signal);
    try {
      const node = yield* streamResponse(modelRequest(question, context), context);
      yield* noteAnswer(context);
      yield* rememberForm(context);
      return node;
    } catch (error) {
      if (context.signal.aborted || !(yield* remedied({ error, tried, failures }, context))) throw error;
    }
  }
}

async function* remedied(failed: FailedCall, context: RequestContext): AsyncGenerator<AgentEvent, boolean> {
  for (const remedy of REMEDIES) if (yield* remedy(failed, context)) return true;
  return false;
}

/** The vendor says that the conversation is too long. */
async function* makeRoom(
  { error, tried }: FailedCall,
  context: RequestContext,
): AsyncGenerator<AgentEvent, boolean> {
  if (errorCode(error) !== "context_overflow" || tried.has("room")) return false;
  tried.add("room");
  yield* fitContext(context, true);
  return true;
}

export function withRemark(request: Request, remark: string | null): Request {
  if (remark === null) return request;
  return { ...request, parts: [...request.parts, { kind: "retry-prompt", content: remark }] };
}

function modelRequest(question: ModelQuestion, context: RequestContext): ModelRequest {
  const { system, toolSpecs: tools, outputSchema, sendsSchema } = context;
  const { maxOutputTokens } = context.settings;
  const messages = messagesToSend(context);
  const last = messages.at(-1);
  const { remark, toolChoice } = question;
  const remarked = last?.kind === "request" ? [withRemark(last, remark)] : [];
  return {
    system,
    messages: remark === null ? messages : [...messages.slice(0, -1), ...remarked],
    tools,
    ...defined({ toolChoice, maxOutputTokens, outputSchema: sendsSchema ? outputSchema : undefined }),
  };
}
