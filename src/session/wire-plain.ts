// The short way to read a message that has nothing but its usual keys with their usual values, as nearly all that we
// wrote have: opening a long session is mostly this, and it is ten times as fast. Whatever is unusual in any way is
// left to wire.ts; where both can read a message they agree.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { Message, Request, Response } from "../domain/message.ts";
import type { RequestPart, ResponsePart } from "../domain/part.ts";
import type { Usage } from "../domain/usage.ts";
import { decodeFinishReason } from "./legacy.ts";
import { type Draft, set } from "./wire-keys.ts";

/** Undefined: not plain. `toolNames` learns the names of the calls. */
export function decodePlainMessage(
  raw: JsonValue | undefined,
  toolNames: Map<string, string>,
): Message | undefined {
  if (!isJsonObject(raw)) return undefined;
  const { kind, parts } = raw;
  if (!Array.isArray(parts) || parts.length === 0) return undefined;
  if (kind === "request") return plainRequest(raw, parts);
  return kind === "response" ? plainResponse(raw, parts, toolNames) : undefined;
}

function plainRequest(raw: JsonObject, rawParts: readonly JsonValue[]): Request | undefined {
  const parts: RequestPart[] = [];
  for (const rawPart of rawParts) {
    const part = isJsonObject(rawPart) ? plainRequestPart(rawPart) : undefined;
    if (part === undefined) return undefined;
    parts.push(part);
  }
  const request: Draft<Request> = { kind: "request", parts };
  const taken = takeText(raw, "timestamp", request, "timestamp") + takeText(raw, "run_id", request, "runId");
  return countKeys(raw) === 2 + taken ? request : undefined;
}

function plainRequestPart(raw: JsonObject): RequestPart | undefined {
  const { part_kind, content, tool_call_id, tool_name, status, timestamp } = raw;
  if (typeof content !== "string") return undefined;
  if (timestamp !== undefined && typeof timestamp !== "string") return undefined;
  const dated = timestamp === undefined ? 0 : 1;
  if (part_kind === "user-prompt") {
    if (countKeys(raw) !== 2 + dated) return undefined;
    return timestamp === undefined ? { kind: part_kind, content } : { kind: part_kind, content, timestamp };
  }
  if (part_kind !== "tool-return" || typeof tool_call_id !== "string") return undefined;
  if (typeof tool_name !== "string" || tool_name === "") return undefined;
  const part: Draft<RequestPart & { kind: "tool-return" }> = {
    kind: part_kind,
    toolCallId: tool_call_id,
    toolName: tool_name,
    content,
  };
  if (status === "completed" || status === "failed" || status === "cancelled") part.status = status;
  else if (status !== undefined) return undefined;
  set(part, "timestamp", timestamp);
  return countKeys(raw) === 4 + dated + (status === undefined ? 0 : 1) ? part : undefined;
}

function plainResponse(
  raw: JsonObject,
  rawParts: readonly JsonValue[],
  toolNames: Map<string, string>,
): Response | undefined {
  const parts: ResponsePart[] = [];
  for (const rawPart of rawParts) {
    const part = isJsonObject(rawPart) ? plainResponsePart(rawPart) : undefined;
    if (part === undefined) return undefined;
    if (part.kind === "tool-call") toolNames.set(part.toolCallId, part.toolName);
    parts.push(part);
  }
  const response: Draft<Response> = { kind: "response", parts };
  let taken = 2;
  if (raw["usage"] !== undefined) {
    const usage = plainUsage(raw["usage"]);
    if (usage === undefined) return undefined;
    response.usage = usage;
    taken++;
  }
  if (typeof raw["finish_reason"] === "string") {
    response.finishReason = decodeFinishReason(raw["finish_reason"]);
    taken++;
  }
  taken += takeText(raw, "model_name", response, "modelName");
  taken += takeText(raw, "provider_name", response, "providerName");
  taken += takeText(raw, "timestamp", response, "timestamp");
  taken += takeText(raw, "run_id", response, "runId");
  return countKeys(raw) === taken ? response : undefined;
}

function plainResponsePart(raw: JsonObject): ResponsePart | undefined {
  const { part_kind, content, tool_call_id, tool_name, args } = raw;
  if (part_kind === "text" || part_kind === "thinking")
    return typeof content === "string" && countKeys(raw) === 2 ? { kind: part_kind, content } : undefined;
  if (part_kind !== "tool-call" || typeof tool_call_id !== "string" || typeof tool_name !== "string")
    return undefined;
  if (!isJsonObject(args) || !isFlat(args) || countKeys(raw) !== 4) return undefined;
  return { kind: part_kind, toolCallId: tool_call_id, toolName: tool_name, args };
}

function plainUsage(raw: JsonValue): Usage | undefined {
  if (!isJsonObject(raw) || countKeys(raw) !== 3) return undefined;
  const { input_tokens: requestTokens, output_tokens: responseTokens, cache_read_tokens: cachedTokens } = raw;
  return isCount(requestTokens) && isCount(responseTokens) && isCount(cachedTokens)
    ? { requestTokens, responseTokens, cachedTokens }
    : undefined;
}

function isCount(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value);
}

/** Nothing in it can be nested too deeply. */
function isFlat(args: JsonObject): boolean {
  for (const key in args) if (typeof args[key] === "object" && args[key] !== null) return false;
  return true;
}

/** How many keys that was. */
function takeText<Name extends string>(
  raw: JsonObject,
  key: string,
  target: { [Key in Name]?: string },
  name: Name,
): 0 | 1 {
  const value = raw[key];
  if (typeof value !== "string") return 0;
  target[name] = value;
  return 1;
}

function countKeys(raw: JsonObject): number {
  let count = 0;
  for (const _key in raw) count++;
  return count;
}
