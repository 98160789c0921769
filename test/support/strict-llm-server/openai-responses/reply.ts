// A scripted answer as the Responses API streams it, with every event the real stream has.
import type { JsonObject } from "../../../../src/base/json.ts";
import { mintId } from "../issued-items.ts";
import { listOf } from "../json-access.ts";
import { type ResolvedAnswer, type ResolvedPart, resolveAnswer } from "../resolve-answer.ts";
import { namedEvent } from "../sse.ts";
import type { Answer } from "../turn.ts";
import type { ReplyContext } from "../wire.ts";
import { encryptedFor } from "./encrypted-content.ts";

const INCOMPLETE = { length: "max_output_tokens", "content-filter": "content_filter" } as const;

type EventBody = JsonObject & { readonly type: string };

export function openaiResponsesStream(answer: Answer, context: ReplyContext): string[] {
  const resolved = resolveAnswer(answer, context, "call_");
  const response = { ...envelope(context), id: mintId("resp_") };
  const frames: string[] = [];
  const send = (event: EventBody) => {
    frames.push(namedEvent({ ...event, sequence_number: frames.length }));
  };
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  send({ type: "response.created", response: begun });
  send({ type: "response.in_progress", response: begun });
  const output = itemsOf(resolved, context);
  for (const [index, part] of resolved.parts.entries()) {
    const item = output[index];
    if (item !== undefined) for (const event of itemEvents(part, item, index)) send(event);
  }
  const end = ending(resolved);
  send({ type: `response.${end.status}`, response: { ...response, ...end, output } });
  return resolved.has("pings") ? frames.flatMap((frame) => [": ping\n\n", frame]) : frames;
}

export function openaiResponsesWhole(answer: Answer, context: ReplyContext): JsonObject {
  const resolved = resolveAnswer(answer, context, "call_");
  return {
    ...envelope(context),
    id: mintId("resp_"),
    ...ending(resolved),
    output: itemsOf(resolved, context),
  };
}

function envelope({ model, request }: ReplyContext) {
  return {
    object: "response",
    created_at: 1_760_000_000,
    model,
    error: null,
    incomplete_details: null,
    instructions: request["instructions"] ?? null,
    parallel_tool_calls: true,
    store: request["store"] !== false,
    tools: [],
  };
}

function ending({ finish, usage }: ResolvedAnswer) {
  const reason =
    typeof finish !== "string"
      ? finish.raw
      : finish === "length" || finish === "content-filter"
        ? INCOMPLETE[finish]
        : undefined;
  return {
    status: reason === undefined ? "completed" : "incomplete",
    incomplete_details: reason === undefined ? null : { reason },
    usage:
      usage === undefined
        ? null
        : {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cached },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: usage.thinking },
            total_tokens: usage.input + usage.output,
          },
  };
}

/** The finished items, remembered as the vendor remembers them. */
function itemsOf(resolved: ResolvedAnswer, context: ReplyContext): JsonObject[] {
  const { request, issued } = context;
  const showsEncrypted = listOf(request["include"]).includes("reasoning.encrypted_content");
  let reasoning: string | undefined;
  return resolved.parts.map((part) => {
    const id = mintId(part.kind === "thought" ? "rs_" : part.kind === "call" ? "fc_" : "msg_");
    if (part.kind === "thought") reasoning = id;
    else if (reasoning !== undefined) {
      issued.reasoningOf.set(id, reasoning);
      reasoning = undefined;
    }
    const item = itemOf(part, id, showsEncrypted);
    if (request["store"] !== false) {
      issued.stored.set(id, {
        type: String(item["type"]),
        ...(part.kind === "call" ? { callId: part.id } : {}),
      });
    }
    return item;
  });
}

function itemOf(part: ResolvedPart, id: string, showsEncrypted: boolean): JsonObject {
  if (part.kind === "call") {
    const { name, argsText } = part;
    return {
      id,
      type: "function_call",
      status: "completed",
      arguments: argsText,
      call_id: part.id,
      name,
    };
  }
  if (part.kind === "text") {
    return { id, type: "message", status: "completed", role: "assistant", content: [textPart(part.text)] };
  }
  const summary = part.text === "" || part.redacted ? [] : [{ type: "summary_text", text: part.text }];
  return {
    id,
    type: "reasoning",
    summary,
    ...(showsEncrypted ? { encrypted_content: encryptedFor(id) } : {}),
  };
}

function textPart(text: string): JsonObject {
  return { type: "output_text", annotations: [], logprobs: [], text };
}

function* itemEvents(part: ResolvedPart, item: JsonObject, index: number): Generator<EventBody> {
  const place = { item_id: String(item["id"]), output_index: index };
  const blank =
    part.kind === "call" ? { arguments: "" } : part.kind === "text" ? { content: [] } : { summary: [] };
  yield {
    type: "response.output_item.added",
    output_index: index,
    item: { ...item, ...(part.kind === "thought" ? {} : { status: "in_progress" }), ...blank },
  };
  if (part.kind === "call") {
    const type = "response.function_call_arguments";
    for (const delta of part.deltas) yield { type: `${type}.delta`, ...place, delta };
    yield { type: `${type}.done`, ...place, arguments: part.argsText };
  } else if (part.kind === "text") {
    const inner = { ...place, content_index: 0 };
    yield { type: "response.content_part.added", ...inner, part: textPart("") };
    for (const delta of part.deltas)
      yield { type: "response.output_text.delta", ...inner, logprobs: [], delta };
    yield { type: "response.output_text.done", ...inner, logprobs: [], text: part.text };
    yield { type: "response.content_part.done", ...inner, part: textPart(part.text) };
  } else if (part.text !== "" && !part.redacted) {
    const inner = { ...place, summary_index: 0 };
    const type = "response.reasoning_summary";
    yield { type: `${type}_part.added`, ...inner, part: { type: "summary_text", text: "" } };
    for (const delta of part.deltas) yield { type: `${type}_text.delta`, ...inner, delta };
    yield { type: `${type}_text.done`, ...inner, text: part.text };
    yield { type: `${type}_part.done`, ...inner, part: { type: "summary_text", text: part.text } };
  }
  yield { type: "response.output_item.done", output_index: index, item };
}
