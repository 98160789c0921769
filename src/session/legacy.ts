// The old forms a session file may hold, and what they mean today. The current form passes through unchanged.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { isTooDeep } from "../base/json-depth.ts";
import type { FinishReason, Message } from "../domain/message.ts";
import type { ToolCallPart } from "../domain/part.ts";
import type { Usage } from "../domain/usage.ts";
import type { DecodingReport } from "./stored-keys.ts";

/** A message in the current form. Its other keys have not been looked at. */
export interface WireMessage extends JsonObject {
  readonly kind: Message["kind"];
  readonly parts: readonly JsonValue[];
}

/** null: it doesn't belong in the history. It is a thought or a system prompt, or it was reported. */
export function upgradeMessage(
  raw: JsonValue,
  thoughts: string[],
  report: DecodingReport,
): WireMessage | null {
  if (!isJsonObject(raw)) {
    report("It is not an object.", raw);
    return null;
  }
  if (isCurrent(raw)) return raw;
  const { kind, parts, content, thought } = raw;
  if (!isMissing(kind) && !isMessageKind(kind)) report(`${named("kind", kind)} is unknown.`, raw);
  else if (Array.isArray(parts)) return upgradeParts(raw, parts);
  else if (!isMissing(parts)) report("Its parts are not a list.", raw);
  else if (content !== undefined) return upgradeContent(raw, content, thoughts, report);
  else if (isMessageKind(kind)) return { ...raw, kind, parts: [] };
  else if (typeof thought === "string") thoughts.push(thought);
  else report("It has neither parts nor content.", raw);
  return null;
}

function isCurrent(raw: JsonObject): raw is WireMessage {
  return isMessageKind(raw["kind"]) && Array.isArray(raw["parts"]);
}

/** `{"parts": [...], "role"?: ...}` */
function upgradeParts(raw: JsonObject, parts: readonly JsonValue[]): WireMessage | null {
  const kind = sideOf(raw) ?? sideOfParts(parts);
  return kind === "system" ? null : { ...raw, kind, parts };
}

/** `{"content": ..., "role"?: ..., "thought"?: ...}` */
function upgradeContent(
  raw: JsonObject,
  content: JsonValue,
  thoughts: string[],
  report: DecodingReport,
): WireMessage | null {
  const { content: _content, role, thought, ...rest } = raw;
  const kind = sideOf(raw) ?? (isMissing(role) ? "request" : null);
  if (kind === null) {
    report(`${named("role", role)} is unknown.`, raw);
    return null;
  }
  if (typeof thought === "string") thoughts.push(thought);
  if (kind === "system") return null;
  const part = { part_kind: kind === "request" ? "user-prompt" : "text", content };
  return { ...rest, kind, parts: [part] };
}

/** Who speaks; null if it doesn't say, or names a role that we don't know. */
function sideOf({ kind, role }: JsonObject): Message["kind"] | "system" | null {
  if (isMessageKind(kind)) return kind;
  if (role === "user" || role === "human") return "request";
  if (role === "assistant" || role === "model" || role === "ai") return "response";
  return role === "system" || role === "developer" ? "system" : null;
}

function sideOfParts(parts: readonly JsonValue[]): Message["kind"] {
  const isOfResponse = (part: JsonValue) =>
    isJsonObject(part) && (part["part_kind"] === "tool-call" || part["part_kind"] === "thinking");
  return parts.some(isOfResponse) ? "response" : "request";
}

function isMessageKind(value: JsonValue | undefined): value is Message["kind"] {
  return value === "request" || value === "response";
}

function named(what: string, value: JsonValue | undefined): string {
  return typeof value === "string" ? `The ${what} ${JSON.stringify(value)}` : `This ${what}`;
}

function isMissing(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** Arguments: an object, or a string that decodes to one; nothing at all means {}. */
export function decodeLegacyArgs(value: JsonValue | undefined): Pick<ToolCallPart, "args" | "rawArgs"> {
  if (isJsonObject(value)) return { args: value };
  if (isMissing(value) || value === "") return { args: {} };
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  if (parsed?.ok && isJsonObject(parsed.value) && !isTooDeep(parsed.value)) return { args: parsed.value };
  return { args: {}, rawArgs: value };
}

export interface DecodedUsage {
  readonly usage: Usage;
  /** What else the object says, if anything. */
  readonly more?: JsonObject;
}

/** The tokens under any of their names; undefined if there are none. */
export function decodeUsage(raw: JsonObject): DecodedUsage | undefined {
  const { input_tokens, request_tokens, output_tokens, response_tokens, ...rest } = raw;
  const { cache_read_tokens, cached_tokens, ...more } = rest;
  const requestTokens = [input_tokens, request_tokens].find(isCount);
  const responseTokens = [output_tokens, response_tokens].find(isCount);
  const cachedTokens = [cache_read_tokens, cached_tokens].find(isCount);
  if (requestTokens === undefined && responseTokens === undefined && cachedTokens === undefined)
    return undefined;
  const usage = {
    requestTokens: requestTokens ?? 0,
    responseTokens: responseTokens ?? 0,
    cachedTokens: cachedTokens ?? 0,
  };
  return Object.keys(more).length === 0 ? { usage } : { usage, more };
}

function isCount(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value);
}

const FINISH_REASONS: readonly FinishReason[] = ["stop", "length", "content-filter", "tool-call", "error"];

/** Vendors write them with hyphens or underscores, and call one "tool calls". */
export function decodeFinishReason(value: string): FinishReason {
  const reason = value.replaceAll("_", "-").replace(/^tool-calls$/, "tool-call");
  return FINISH_REASONS.find((known) => known === reason) ?? "other";
}
