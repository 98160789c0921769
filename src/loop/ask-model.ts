// One model call, with a second try after mending what was wrong with the first: too long, or badly shaped.

import { abortReason } from "../base/abort.ts";
import { defined } from "../base/defined.ts";
import { TunacodeError, WireGateError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { Request } from "../domain/message.ts";
import type { ModelRequest } from "../domain/model.ts";
import { prepareHistory } from "../history/prepare.ts";
import { fitContext } from "./fit-context.ts";
import type { ResponseNode } from "./node.ts";
import type { RequestContext } from "./request-context.ts";
import { streamResponse } from "./streaming.ts";

interface ModelQuestion {
  /** Sent to the model with this call only; not part of the conversation. */
  readonly remark: string | null;
  readonly toolChoice?: "none";
}

export async function* askModel(
  question: ModelQuestion,
  context: RequestContext,
): AsyncGenerator<AgentEvent, ResponseNode> {
  yield* fitContext(context, false);
  context.iteration++;
  yield { type: "node-start", iteration: context.iteration };
  const mended = new Set<string>();
  while (true) {
    if (context.signal.aborted) throw abortReason(context.signal);
    try {
      return yield* streamResponse(modelRequest(question, context), context);
    } catch (error) {
      const code = error instanceof TunacodeError ? error.code : "internal";
      if (context.partialText !== "" || mended.has(code)) throw error;
      mended.add(code);
      if (code === "context_overflow") yield* fitContext(context, true);
      else if (error instanceof WireGateError) yield* repairHistory(error, context);
      else throw error;
    }
  }
}

export function withRemark(request: Request, remark: string | null): Request {
  if (remark === null) return request;
  return { ...request, parts: [...request.parts, { kind: "retry-prompt", content: remark }] };
}

function modelRequest(question: ModelQuestion, context: RequestContext): ModelRequest {
  const { conversation, system, toolSpecs: tools } = context;
  const { maxOutputTokens } = context.settings;
  const { messages, last } = conversation;
  const { remark, toolChoice } = question;
  const remarked = last?.kind === "request" ? [withRemark(last, remark)] : [];
  return {
    system,
    messages: remark === null ? messages : [...messages.slice(0, -1), ...remarked],
    tools,
    ...defined({ toolChoice, maxOutputTokens }),
  };
}

/** The gate found a mistake of ours: what it said is recorded, and the history is repaired once. */
async function* repairHistory(
  error: WireGateError,
  context: RequestContext,
): AsyncGenerator<AgentEvent, void> {
  const { messages, repairs } = prepareHistory(context.conversation.messages, { newMessage: false });
  const at = messages.length - 1;
  const found = error.violations.map((why) => ({ kind: "wire-gate", at, kept: "all", why }) as const);
  yield { type: "repair", repairs: [...found, ...repairs], messages };
}
