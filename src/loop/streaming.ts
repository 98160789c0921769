// One model call. Deltas are passed on as they come; the response is assembled from the finished parts.

import { isBlank } from "../base/blank.ts";
import { defined } from "../base/defined.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { Response } from "../domain/message.ts";
import type { ModelEvent, ModelRequest } from "../domain/model.ts";
import { isBlankResponsePart, type ResponsePart } from "../domain/part.ts";
import { addTokens, type Usage } from "../domain/usage.ts";
import { maskedAnswer } from "./masked-answer.ts";
import type { ResponseNode } from "./node.ts";
import type { RequestContext } from "./request-context.ts";
import { keptText, unbrokenCall } from "./unbroken-call.ts";

type Finish = Extract<ModelEvent, { type: "finish" }>;

export async function* streamResponse(
  request: ModelRequest,
  context: RequestContext,
): AsyncGenerator<AgentEvent, ResponseNode> {
  const parts: ResponsePart[] = [];
  let usage: Usage | null = null;
  let finish: Finish = { type: "finish", reason: "other" };

  const { model, mask } = context;
  context.partialText = keptText(context.partialText, request);
  const answer = unbrokenCall(request, model, context, context.partialText);
  for await (const event of mask === undefined ? answer : maskedAnswer(answer, mask)) {
    switch (event.type) {
      case "text-delta":
        context.partialText += event.text;
        yield event;
        break;
      case "retry-wait":
        // Otherwise a later attempt might complete a call that broke off.
        context.partialText = keptText(context.partialText, request);
        yield event;
        break;
      case "part":
        parts.push(event.part);
        break;
      case "usage":
        usage = addTokens(usage, event.usage);
        break;
      case "finish":
        finish = event;
        break;
      default:
        yield event;
    }
  }
  return responseNode(parts, usage, finish, context);
}

function responseNode(
  parts: readonly ResponsePart[],
  usage: Usage | null,
  { reason, providerName, modelName }: Finish,
  { model, clock }: RequestContext,
): ResponseNode {
  const sent = parts.filter((part) => !isBlankResponsePart(part));
  const response: Response = {
    kind: "response",
    parts: sent,
    modelName: modelName ?? model.name,
    ...defined({ providerName, usage: usage ?? undefined }),
    finishReason: reason,
    timestamp: new Date(clock.now()).toISOString(),
  };
  const thought = sent.flatMap((part) => (part.kind === "thinking" ? [part.content] : [])).join("\n");
  const output = sent.flatMap((part) => (part.kind === "text" ? [part.content] : [])).join("");
  return {
    modelResponse: response,
    ...(isBlank(thought) ? {} : { thought }),
    ...(output === "" ? {} : { result: { output } }),
    usage,
  };
}
