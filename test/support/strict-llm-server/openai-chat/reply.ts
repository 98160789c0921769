// A scripted answer in the chat format, with the quirks of the many servers that speak it.
import { isJsonObject, type JsonObject } from "../../../../src/base/json.ts";
import { mintId } from "../issued-items.ts";
import {
  type ResolvedAnswer,
  type ResolvedCall,
  type ResolvedPart,
  resolveAnswer,
} from "../resolve-answer.ts";
import { DONE, dataEvent } from "../sse.ts";
import type { Answer } from "../turn.ts";
import type { ReplyContext } from "../wire.ts";

const FINISH_REASONS = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
} as const;

export function openaiChatStream(answer: Answer, context: ReplyContext): string[] {
  const resolved = resolve(answer, context);
  const options = context.request["stream_options"];
  const wantsUsage = isJsonObject(options) && options["include_usage"] === true;
  const envelope = {
    id: mintId("chatcmpl-"),
    object: "chat.completion.chunk",
    created: 1_760_000_000,
    model: context.model,
    system_fingerprint: "fp_strict",
  };
  const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}) =>
    dataEvent({
      ...envelope,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(wantsUsage ? { usage: null } : {}),
      ...more,
    });
  const frames = [chunk({ role: "assistant", content: "" })];
  for (const delta of deltasOf(resolved)) frames.push(chunk(delta));
  const usage = usageOf(resolved);
  const withFinish = resolved.has("usage-with-finish") && usage !== undefined ? { usage } : {};
  frames.push(chunk({}, finishReason(resolved), withFinish));
  if (wantsUsage && usage !== undefined && !resolved.has("usage-with-finish")) {
    frames.push(
      dataEvent({ ...envelope, ...(resolved.has("no-choices-at-end") ? {} : { choices: [] }), usage }),
    );
  } else if (resolved.has("no-choices-at-end")) {
    frames.push(dataEvent(envelope));
  }
  if (!resolved.has("no-done")) frames.push(DONE);
  return resolved.has("pings") ? frames.flatMap((frame) => [": ping\n\n", frame]) : frames;
}

export function openaiChatWhole(answer: Answer, context: ReplyContext): JsonObject {
  const resolved = resolve(answer, context);
  const words = (kind: ResolvedPart["kind"]) =>
    resolved.parts
      .flatMap((part) => (part.kind !== "call" && part.kind === kind ? [part.text] : []))
      .join("");
  const calls = callsOf(resolved).map((call) => ({
    ...(call.id === "" ? {} : { id: call.id }),
    type: "function",
    function: { name: call.name, arguments: resolved.has("object-arguments") ? call.args : call.argsText },
  }));
  const thoughts = words("thought");
  const usage = usageOf(resolved);
  return {
    id: mintId("chatcmpl-"),
    object: "chat.completion",
    created: 1_760_000_000,
    model: context.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: words("text") === "" && calls.length > 0 ? null : words("text"),
          ...(thoughts === "" ? {} : { [thoughtField(resolved)]: thoughts }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: finishReason(resolved),
      },
    ],
    ...(usage === undefined ? {} : { usage }),
  };
}

function resolve(answer: Answer, context: ReplyContext): ResolvedAnswer {
  const resolved = resolveAnswer(answer, context, "call_");
  if (resolved.parts.some((part) => part.kind === "thought")) {
    for (const call of callsOf(resolved)) context.issued.reasonedCalls.add(call.id);
  }
  return resolved;
}

function callsOf(resolved: ResolvedAnswer): ResolvedCall[] {
  return resolved.parts.filter((part) => part.kind === "call");
}

function thoughtField(resolved: ResolvedAnswer): string {
  return resolved.has("reasoning-field") ? "reasoning" : "reasoning_content";
}

function* deltasOf(resolved: ResolvedAnswer): Generator<JsonObject> {
  const calls = callsOf(resolved);
  for (const part of resolved.parts) {
    if (part.kind === "text") yield* part.deltas.map((content) => ({ content }));
    else if (part.kind === "thought") yield* thoughtDeltas(part.deltas, resolved);
    else if (resolved.has("calls-as-text")) yield { content: callAsText(part) };
    else if (!resolved.has("interleaved-calls")) yield* callDeltas(part, calls.indexOf(part), resolved);
  }
  if (resolved.has("interleaved-calls") && !resolved.has("calls-as-text")) {
    yield* interleave(calls.map((call, index) => [...callDeltas(call, index, resolved)]));
  }
}

function* thoughtDeltas(deltas: readonly string[], resolved: ResolvedAnswer): Generator<JsonObject> {
  if (resolved.has("think-tags")) {
    yield { content: "<think>" };
    yield* deltas.map((content) => ({ content }));
    yield { content: "</think>\n" };
  } else yield* deltas.map((words) => ({ [thoughtField(resolved)]: words }));
}

function callAsText(call: ResolvedCall): string {
  return `<tool_call>{"name": ${JSON.stringify(call.name)}, "arguments": ${call.argsText}}</tool_call>`;
}

function* callDeltas(call: ResolvedCall, index: number, resolved: ResolvedAnswer): Generator<JsonObject> {
  const place = resolved.has("no-index") ? {} : { index };
  const id = call.id === "" ? {} : { id: call.id };
  const piece = (head: JsonObject, target: JsonObject) => ({
    tool_calls: [{ ...place, ...head, function: target }],
  });
  const { name } = call;
  if (resolved.has("object-arguments")) {
    yield piece({ ...id, type: "function" }, { name, arguments: call.args });
    return;
  }
  if (resolved.has("late-name")) {
    yield piece({ ...id, type: "function" }, { arguments: "" });
    yield piece({}, { name, arguments: "" });
  } else yield piece({ ...id, type: "function" }, { name, arguments: "" });
  const repeated = resolved.has("repeated-name") ? { name } : {};
  for (const words of call.deltas) yield piece({}, { ...repeated, arguments: words });
}

function* interleave(lists: readonly (readonly JsonObject[])[]): Generator<JsonObject> {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let place = 0; place < longest; place++) {
    for (const list of lists) {
      const delta = list[place];
      if (delta !== undefined) yield delta;
    }
  }
}

function finishReason({ finish }: ResolvedAnswer): string {
  return typeof finish === "string" ? FINISH_REASONS[finish] : finish.raw;
}

function usageOf({ usage }: ResolvedAnswer): JsonObject | undefined {
  if (usage === undefined) return undefined;
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: usage.thinking, audio_tokens: 0 },
  };
}
