// A scripted answer as Gemini streams it: whole function calls, usage on every chunk, signatures on parts.
import { isJsonObject, type JsonObject } from "../../../../src/base/json.ts";
import { mintId } from "../issued-items.ts";
import { type ResolvedAnswer, type ResolvedPart, resolveAnswer } from "../resolve-answer.ts";
import { seal } from "../seal.ts";
import { dataEvent } from "../sse.ts";
import type { Answer } from "../turn.ts";
import type { ReplyContext } from "../wire.ts";

/** Calls also end with STOP, because there is no separate reason for them. */
const FINISH_REASONS = {
  stop: "STOP",
  length: "MAX_TOKENS",
  "tool-calls": "STOP",
  "content-filter": "SAFETY",
} as const;

export function googleStream(answer: Answer, context: ReplyContext): string[] {
  const { resolved, parts, envelope } = prepare(answer, context);
  const frames = parts.map((part) =>
    dataEvent({ candidates: [{ content: { parts: [part], role: "model" }, index: 0 }], ...envelope }),
  );
  const last = {
    content: { parts: [{ text: "" }], role: "model" },
    finishReason: finish(resolved),
    index: 0,
  };
  frames.push(dataEvent({ candidates: [last], ...envelope }));
  return resolved.has("pings") ? frames.flatMap((frame) => [": ping\n\n", frame]) : frames;
}

export function googleWhole(answer: Answer, context: ReplyContext): JsonObject {
  const { resolved, parts, envelope } = prepare(answer, context);
  const candidate = { content: { parts, role: "model" }, finishReason: finish(resolved), index: 0 };
  return { candidates: [candidate], ...envelope };
}

function prepare(answer: Answer, context: ReplyContext) {
  const resolved = resolveAnswer(answer, context, "fc-");
  const { usage } = resolved;
  const usageMetadata = usage && {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output - usage.thinking,
    totalTokenCount: usage.input + usage.output,
    ...(usage.thinking > 0 ? { thoughtsTokenCount: usage.thinking } : {}),
    ...(usage.cached > 0 ? { cachedContentTokenCount: usage.cached } : {}),
  };
  const envelope = {
    ...(usageMetadata === undefined ? {} : { usageMetadata }),
    modelVersion: context.model,
    responseId: mintId("resp-"),
  };
  return { resolved, parts: signed(resolved.parts.flatMap(partsOf)), envelope };
}

function partsOf(part: ResolvedPart): JsonObject[] {
  if (part.kind === "text") return part.deltas.map((text) => ({ text }));
  if (part.kind === "thought") return part.deltas.map((text) => ({ text, thought: true }));
  const id = part.id === "" ? {} : { id: part.id };
  return [{ functionCall: { name: part.name, args: part.args, ...id } }];
}

/** On the first call of an answer, or on its last text. */
function signed(parts: readonly JsonObject[]): JsonObject[] {
  const signature = seal("google", mintId("thought-"));
  const call = parts.findIndex((part) => isJsonObject(part["functionCall"]));
  const place = call === -1 ? parts.length - 1 : call;
  return parts.map((part, index) => (index === place ? { ...part, thoughtSignature: signature } : part));
}

function finish(resolved: ResolvedAnswer): string {
  return typeof resolved.finish === "string" ? FINISH_REASONS[resolved.finish] : resolved.finish.raw;
}
