// One model call. If it fails, the remedies are tried in order, and the call is made again after the first that helps.

import { abortReason } from "../base/abort.ts";
import { defined } from "../base/defined.ts";
import { errorCode } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { Request } from "../domain/message.ts";
import type { ModelRequest } from "../domain/model.ts";
import { fallBack, fitOrFallBack, noteAnswer, takeModel } from "./fall-back.ts";
import type { ResponseNode } from "./node.ts";
import type { Attempts, FailedCall, Remedy } from "./remedy.ts";
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
  context.triedForm = undefined;
  // What an earlier answer has shown must never be saved as this one's.
  context.partialText = "";
  const attempts: Attempts = { tried: new Set(), failures: [] };
  yield* takeModel(context);
  yield* fitOrFallBack(false, attempts, context);
  context.iteration++;
  yield { type: "node-start", iteration: context.iteration };
  while (true) {
    if (context.signal.aborted) throw abortReason(context.signal);
    try {
      const node = yield* streamResponse(modelRequest(question, context), context);
      yield* noteAnswer(context);
      yield* rememberForm(context);
      return node;
    } catch (error) {
      if (context.signal.aborted || !(yield* remedied({ error, ...attempts }, context))) throw error;
    }
  }
}

async function* remedied(failed: FailedCall, context: RequestContext): AsyncGenerator<AgentEvent, boolean> {
  for (const remedy of REMEDIES) if (yield* remedy(failed, context)) return true;
  return false;
}

/** The vendor says that the conversation is too long. */
async function* makeRoom(failed: FailedCall, context: RequestContext): AsyncGenerator<AgentEvent, boolean> {
  if (errorCode(failed.error) !== "context_overflow" || failed.tried.has("room")) return false;
  failed.tried.add("room");
  yield* fitOrFallBack(true, failed, context);
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
