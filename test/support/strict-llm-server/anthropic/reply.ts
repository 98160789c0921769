// A scripted answer as Anthropic streams it, or returns it whole.
import { type JsonObject, type JsonValue, parseJson } from "../../../../src/base/json.ts";
import { mintId } from "../issued-items.ts";
import { type ResolvedAnswer, type ResolvedPart, resolveAnswer } from "../resolve-answer.ts";
import { seal } from "../seal.ts";
import { namedEvent } from "../sse.ts";
import type { Answer } from "../turn.ts";
import type { ReplyContext } from "../wire.ts";

const STOP_REASONS = {
  stop: "end_turn",
  length: "max_tokens",
  "tool-calls": "tool_use",
  "content-filter": "refusal",
} as const;

export const PING = namedEvent({ type: "ping" });

export function anthropicStream(answer: Answer, context: ReplyContext): string[] {
  const resolved = resolveAnswer(answer, context, "toolu_");
  const message = { ...envelope(resolved, context), content: [], stop_reason: null };
  const frames = [namedEvent({ type: "message_start", message })];
  for (const [index, part] of resolved.parts.entries()) {
    const { start, deltas } = blockEvents(part);
    frames.push(namedEvent({ type: "content_block_start", index, content_block: start }));
    if (index === 0) frames.push(PING);
    for (const delta of deltas) frames.push(namedEvent({ type: "content_block_delta", index, delta }));
    frames.push(namedEvent({ type: "content_block_stop", index }));
  }
  const { usage } = resolved;
  frames.push(
    namedEvent({
      type: "message_delta",
      delta: { stop_reason: stopReason(resolved), stop_sequence: null },
      usage: { output_tokens: usage?.output ?? 0 },
    }),
    namedEvent({ type: "message_stop" }),
  );
  return resolved.has("pings") ? frames.flatMap((frame) => [frame, PING]) : frames;
}

export function anthropicWhole(answer: Answer, context: ReplyContext): JsonObject {
  const resolved = resolveAnswer(answer, context, "toolu_");
  return {
    ...envelope(resolved, context),
    content: resolved.parts.map(wholeBlock),
    stop_reason: stopReason(resolved),
    usage: { ...inputUsage(resolved), output_tokens: resolved.usage?.output ?? 0 },
  };
}

function envelope(resolved: ResolvedAnswer, context: ReplyContext) {
  return {
    id: mintId("msg_"),
    type: "message",
    role: "assistant",
    model: context.model,
    stop_sequence: null,
    usage: { ...inputUsage(resolved), output_tokens: 1 },
  };
}

/** input_tokens excludes tokens read from the cache or written to it. */
function inputUsage({ usage }: ResolvedAnswer) {
  return {
    input_tokens: usage === undefined ? 0 : usage.input - usage.cached - usage.cacheWrite,
    cache_creation_input_tokens: usage?.cacheWrite ?? 0,
    cache_read_input_tokens: usage?.cached ?? 0,
    service_tier: "standard",
  };
}

function stopReason({ finish }: ResolvedAnswer): string {
  return typeof finish === "string" ? STOP_REASONS[finish] : finish.raw;
}

function blockEvents(part: ResolvedPart): { readonly start: JsonObject; readonly deltas: JsonObject[] } {
  if (part.kind === "call") {
    const pieces = ["", ...part.deltas];
    return {
      start: { type: "tool_use", id: part.id, name: part.name, input: {} },
      deltas: pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece })),
    };
  }
  if (part.kind === "text") {
    return {
      start: { type: "text", text: "" },
      deltas: part.deltas.map((piece) => ({ type: "text_delta", text: piece })),
    };
  }
  if (part.redacted) return { start: wholeBlock(part), deltas: [] };
  const thinking = part.deltas.map((piece) => ({ type: "thinking_delta", thinking: piece }));
  const signature = { type: "signature_delta", signature: seal("anthropic", part.text) };
  return { start: { type: "thinking", thinking: "", signature: "" }, deltas: [...thinking, signature] };
}

function wholeBlock(part: ResolvedPart): JsonObject {
  if (part.kind === "call") {
    return { type: "tool_use", id: part.id, name: part.name, input: argsValue(part.argsText) };
  }
  if (part.kind === "text") return { type: "text", text: part.text };
  if (part.redacted) return { type: "redacted_thinking", data: seal("anthropic-redacted", part.text) };
  return { type: "thinking", thinking: part.text, signature: seal("anthropic", part.text) };
}

/** Invalid arguments can't be represented in a complete response, so they are sent as text. */
function argsValue(argsText: string): JsonValue {
  const parsed = parseJson(argsText);
  return parsed.ok ? parsed.value : argsText;
}
