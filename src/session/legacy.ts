// The old forms a session file may hold, and what they mean today. The current form passes through unchanged.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { isTooDeep } from "../base/json-depth.ts";
import type { FinishReason, Message } from "../domain/message.ts";
import type { ToolCallPart } from "../domain/part.ts";
import type { Usage } from "../domain/usage.ts";

/** A message in the current form: a kind and a list of parts. */
export interface WireMessage {
  readonly kind: Message["kind"];
  readonly parts: readonly JsonValue[];
  /** Where its other keys are, and which of its keys are understood. */
  readonly raw: JsonObject;
  readonly understood: readonly string[];
}

export type Upgrade =
  /** message: null where nothing of it stays in the history, as with a system prompt. */
  | { readonly ok: true; readonly message: WireMessage | null; readonly thought?: string }
  | { readonly ok: false; readonly problem: string };

export function upgradeMessage(raw: JsonValue): Upgrade {
  if (!isJsonObject(raw)) return { ok: false, problem: "It is not an object." };
  const { kind, parts, content, thought } = raw;
  if (!isMissing(kind) && !isMessageKind(kind))
    return { ok: false, problem: `Messages of the kind ${JSON.stringify(kind)} are unknown.` };
  if (Array.isArray(parts)) return upgradeParts(raw, parts);
  if (!isMissing(parts)) return { ok: false, problem: "Its parts are not a list." };
  if (content !== undefined) return upgradeContent(raw, content);
  if (isMessageKind(kind)) return upgradeParts(raw, []);
  if (typeof thought === "string") return { ok: true, message: null, thought };
  return { ok: false, problem: "It has neither parts nor content." };
}

function upgradeParts(raw: JsonObject, parts: readonly JsonValue[]): Upgrade {
  const kind = sideOf(raw, sideOfParts(parts)) ?? sideOfParts(parts);
  if (kind === "system") return { ok: true, message: null };
  return { ok: true, message: { kind, parts, raw, understood: ["kind", "parts"] } };
}

/** `{"content": ..., "role"?: ..., "thought"?: ...}` */
function upgradeContent(raw: JsonObject, content: JsonValue): Upgrade {
  const kind = sideOf(raw, "request");
  if (kind === null) return { ok: false, problem: `The role ${JSON.stringify(raw["role"])} is unknown.` };
  const { thought } = raw;
  const understood = ["kind", "parts", "role", "content"];
  if (typeof thought === "string") understood.push("thought");
  const part = { part_kind: kind === "request" ? "user-prompt" : "text", content };
  return {
    ok: true,
    message: kind === "system" ? null : { kind, parts: [part], raw, understood },
    ...(typeof thought === "string" ? { thought } : {}),
  };
}

/** Who speaks. null: somebody we don't know. */
function sideOf(raw: JsonObject, unnamed: Message["kind"]): Message["kind"] | "system" | null {
  const { kind, role } = raw;
  if (isMessageKind(kind)) return kind;
  if (isMissing(role)) return unnamed;
  if (role === "user" || role === "human") return "request";
  if (role === "assistant" || role === "model" || role === "ai") return "response";
  return role === "system" || role === "developer" ? "system" : null;
}

function sideOfParts(parts: readonly JsonValue[]): Message["kind"] {
  const isResponsePart = (part: JsonValue) =>
    isJsonObject(part) && (part["part_kind"] === "tool-call" || part["part_kind"] === "thinking");
  return parts.some(isResponsePart) ? "response" : "request";
}

/** Arguments: an object, or a string that decodes to one; nothing at all means {}. */
export function decodeArgs(value: JsonValue | undefined): Pick<ToolCallPart, "args" | "rawArgs"> {
  if (isJsonObject(value)) return { args: value };
  if (isMissing(value) || value === "") return { args: {} };
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  if (parsed?.ok && isJsonObject(parsed.value) && !isTooDeep(parsed.value)) return { args: parsed.value };
  return { args: {}, rawArgs: value };
}

const TOKEN_KEYS = {
  requestTokens: ["input_tokens", "request_tokens"],
  responseTokens: ["output_tokens", "response_tokens"],
  cachedTokens: ["cache_read_tokens", "cached_tokens"],
} as const;

export interface DecodedUsage {
  readonly usage: Usage;
  /** What else the object said. */
  readonly more?: JsonObject;
}

/** The tokens under any of their names; null if there are none. */
export function decodeUsage(raw: JsonObject): DecodedUsage | null {
  const { requestTokens, responseTokens, cachedTokens } = TOKEN_KEYS;
  const understood: readonly string[] = [...requestTokens, ...responseTokens, ...cachedTokens];
  if (!understood.some((key) => isCount(raw[key]))) return null;
  const usage = {
    requestTokens: firstCount(raw, requestTokens),
    responseTokens: firstCount(raw, responseTokens),
    cachedTokens: firstCount(raw, cachedTokens),
  };
  const more = Object.entries(raw).filter(([key]) => !understood.includes(key));
  return more.length === 0 ? { usage } : { usage, more: Object.fromEntries(more) };
}

function firstCount(raw: JsonObject, keys: readonly string[]): number {
  return keys.map((key) => raw[key]).find(isCount) ?? 0;
}

function isCount(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value);
}

const FINISH_REASONS: ReadonlyMap<JsonValue, FinishReason> = new Map<JsonValue, FinishReason>([
  ["stop", "stop"],
  ["length", "length"],
  ["content_filter", "content-filter"],
  ["content-filter", "content-filter"],
  ["tool_call", "tool-call"],
  ["tool-call", "tool-call"],
  ["tool_calls", "tool-call"],
  ["tool-calls", "tool-call"],
  ["error", "error"],
]);

export function decodeFinishReason(value: string): FinishReason {
  return FINISH_REASONS.get(value) ?? "other";
}

function isMessageKind(value: JsonValue | undefined): value is Message["kind"] {
  return value === "request" || value === "response";
}

function isMissing(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}
