// One model call: deltas go out as they come, the response is assembled from the finished parts.

import { iterateUntilAbort } from "../base/abort.ts";
import { isBlank } from "../base/blank.ts";
import { defined } from "../base/defined.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { FinishReason, Response } from "../domain/message.ts";
import type { ModelRequest } from "../domain/model.ts";
import { isBlankResponsePart, type ResponsePart } from "../domain/part.ts";
import type { Usage } from "../domain/usage.ts";
import type { ResponseNode } from "./node.ts";
import type { RequestContext } from "./request-context.ts";

export async function* streamResponse(
  request: ModelRequest,
  context: RequestContext,
): AsyncGenerator<AgentEvent, ResponseNode> {
  const parts: ResponsePart[] = [];
  let openText = "";
  let openThought = "";
  let usage: Usage | null = null;
  let finish: { reason: FinishReason; providerName?: string; modelName?: string } = { reason: "other" };
  // What an earlier call had shown must never be saved as this one's.
  context.partialText = "";

  for await (const event of iterateUntilAbort(
    context.model.stream(request, context.signal),
    context.signal,
  )) {
    switch (event.type) {
      case "text-delta":
        openText += event.text;
        context.partialText += event.text;
        yield event;
        break;
      case "thought-delta":
        openThought += event.text;
        yield event;
        break;
      case "part":
        if (event.part.kind === "text") openText = "";
        if (event.part.kind === "thinking") openThought = "";
        parts.push(event.part);
        break;
      case "usage":
        usage = event.usage;
        break;
      case "finish":
        finish = event;
        break;
      case "call-delta":
      case "retry-wait":
      case "waiting":
        yield event;
        break;
    }
  }
  if (openThought !== "") parts.push({ kind: "thinking", content: openThought });
  if (openText !== "") parts.push({ kind: "text", content: openText });
  return responseNode(parts, usage, finish, context);
}

function responseNode(
  parts: readonly ResponsePart[],
  usage: Usage | null,
  finish: { reason: FinishReason; providerName?: string; modelName?: string },
  context: RequestContext,
): ResponseNode {
  const sent = parts.filter((part) => !isBlankResponsePart(part));
  const response: Response = {
    kind: "response",
    parts: sent,
    modelName: finish.modelName ?? context.model.name,
    ...defined({ providerName: finish.providerName }),
    ...(usage === null ? {} : { usage }),
    finishReason: finish.reason,
    timestamp: new Date(context.clock.now()).toISOString(),
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
