// The parts of a message on disk, one function a kind for each direction.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { contentText } from "../domain/content.ts";
import type {
  Part,
  RetryPromptPart,
  ReturnStatus,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolReturnPart,
  UserPromptPart,
} from "../domain/part.ts";
import type { ToolDetails } from "../domain/tool-details.ts";
import { decodeLegacyArgs } from "./legacy.ts";
import { decodeContent, encodeContent } from "./stored-content.ts";
import { decodeDetails, encodeDetails } from "./stored-details.ts";
import {
  bounded,
  type DecodingReport,
  type Draft,
  extraOf,
  type Keys,
  readKeys,
  refuse,
  set,
  take,
  takeIf,
  takeObject,
  takeString,
} from "./stored-keys.ts";

/** Where a part stands, and who is told what of it was not understood. */
export interface PartPlace {
  readonly side: "request" | "response";
  /** Names of the calls met so far, by id: old returns don't carry the name. */
  readonly toolNames: Map<string, string>;
  readonly report: DecodingReport;
}

const UNKNOWN_TOOL = "unknown";

/** null: nothing of it stays in the message. Either it is a system prompt, or it was reported. */
export function decodePart(raw: JsonValue, place: PartPlace): Part | null {
  if (typeof raw === "string") return decodePart({ part_kind: "text", content: raw }, place);
  if (!isJsonObject(raw)) {
    place.report("A part is neither an object nor text.", raw);
    return null;
  }
  const keys = readKeys(raw, place.report);
  switch (raw["part_kind"]) {
    case "system-prompt":
      return null;
    case "user-prompt":
      return decodeUserPrompt(keys);
    case "text":
      // In a request only a person speaks.
      return place.side === "request" ? decodeUserPrompt(keys) : decodeText(keys);
    case "thinking":
      return decodeThinking(keys);
    case "tool-call":
      return decodeToolCall(keys, place.toolNames);
    case "tool-return":
      return decodeToolReturn(keys, place.toolNames);
    case "retry-prompt":
      return decodeRetryPrompt(keys);
  }
  if (typeof raw["part_kind"] === "string") return { kind: "unknown", raw: bounded(keys, raw) };
  if (typeof raw["content"] === "string") return decodePart({ ...raw, part_kind: "text" }, place);
  place.report("A part has no kind.", raw);
  return null;
}

export function encodePart(part: Part): JsonValue {
  if (part.kind === "unknown") return part.raw;
  const wire: Draft<JsonObject> = { ...part.extra, part_kind: part.kind };
  switch (part.kind) {
    case "user-prompt":
      wire["content"] = encodeContent(part.content);
      set(wire, "timestamp", part.timestamp);
      return wire;
    case "text":
      wire["content"] = part.content;
      set(wire, "provider_details", part.providerDetails);
      return wire;
    case "thinking":
      wire["content"] = part.content;
      set(wire, "signature", part.signature);
      set(wire, "provider_name", part.providerName);
      set(wire, "provider_details", part.providerDetails);
      return wire;
    case "tool-call":
      wire["tool_name"] = part.toolName;
      wire["tool_call_id"] = part.toolCallId;
      encodeArgs(part, wire);
      set(wire, "provider_details", part.providerDetails);
      return wire;
    case "tool-return":
      wire["tool_name"] = part.toolName || UNKNOWN_TOOL;
      wire["tool_call_id"] = part.toolCallId;
      wire["content"] = encodeContent(part.content);
      set(wire, "status", part.status);
      if (part.details !== undefined) wire["details"] = encodeDetails(part.details);
      set(wire, "kept_in", part.keptIn);
      set(wire, "timestamp", part.timestamp);
      return wire;
    case "retry-prompt":
      wire["content"] = part.content;
      set(wire, "tool_name", part.toolName);
      set(wire, "tool_call_id", part.toolCallId);
      set(wire, "timestamp", part.timestamp);
      return wire;
  }
}

const USER_PROMPT_KEYS = ["part_kind", "content", "timestamp"];

function decodeUserPrompt(keys: Keys): UserPromptPart {
  const content = decodeContent(take(keys, "content") ?? "");
  const part: Draft<UserPromptPart> = { kind: "user-prompt", content };
  set(part, "timestamp", takeString(keys, "timestamp"));
  set(part, "extra", extraOf(keys, USER_PROMPT_KEYS));
  return part;
}

const TEXT_KEYS = ["part_kind", "content", "provider_details"];

function decodeText(keys: Keys): TextPart {
  const part: Draft<TextPart> = { kind: "text", content: takeText(keys) };
  set(part, "providerDetails", takeObject(keys, "provider_details"));
  set(part, "extra", extraOf(keys, TEXT_KEYS));
  return part;
}

const THINKING_KEYS = ["part_kind", "content", "signature", "provider_name", "provider_details"];

function decodeThinking(keys: Keys): ThinkingPart {
  const part: Draft<ThinkingPart> = { kind: "thinking", content: takeText(keys) };
  set(part, "signature", takeString(keys, "signature"));
  set(part, "providerName", takeString(keys, "provider_name"));
  set(part, "providerDetails", takeObject(keys, "provider_details"));
  set(part, "extra", extraOf(keys, THINKING_KEYS));
  return part;
}

const TOOL_CALL_KEYS = ["part_kind", "tool_call_id", "tool_name", "args", "raw_args", "provider_details"];

function decodeToolCall(keys: Keys, toolNames: PartPlace["toolNames"]): ToolCallPart {
  const toolCallId = takeId(keys);
  const toolName = takeName(keys) ?? UNKNOWN_TOOL;
  toolNames.set(toolCallId, toolName);
  const { args, rawArgs } = takeArgs(keys);
  const part: Draft<ToolCallPart> = { kind: "tool-call", toolCallId, toolName, args };
  set(part, "rawArgs", rawArgs);
  set(part, "providerDetails", takeObject(keys, "provider_details"));
  set(part, "extra", extraOf(keys, TOOL_CALL_KEYS));
  return part;
}

const TOOL_RETURN_KEYS = [
  "part_kind",
  "tool_call_id",
  "tool_name",
  "content",
  "status",
  "details",
  "kept_in",
  "timestamp",
];

function decodeToolReturn(keys: Keys, toolNames: PartPlace["toolNames"]): ToolReturnPart {
  const toolCallId = takeId(keys);
  const toolName = takeName(keys) || toolNames.get(toolCallId) || UNKNOWN_TOOL;
  const value = take(keys, "content");
  const part: Draft<ToolReturnPart> = {
    kind: "tool-return",
    toolCallId,
    toolName,
    content: decodeContent(value === undefined ? "" : value),
  };
  set(part, "status", takeIf(keys, "status", isReturnStatus));
  set(part, "details", takeDetails(keys));
  set(part, "keptIn", takeString(keys, "kept_in"));
  set(part, "timestamp", takeString(keys, "timestamp"));
  set(part, "extra", extraOf(keys, TOOL_RETURN_KEYS));
  return part;
}

function takeDetails(keys: Keys): ToolDetails | undefined {
  const raw = take(keys, "details");
  const details = raw === undefined ? undefined : decodeDetails(raw);
  if (raw !== undefined && details === undefined) refuse(keys, "details");
  return details;
}

const RETRY_PROMPT_KEYS = ["part_kind", "content", "tool_call_id", "tool_name", "timestamp"];

function decodeRetryPrompt(keys: Keys): RetryPromptPart {
  const value = take(keys, "content") ?? "";
  const content = typeof value === "string" || Array.isArray(value) ? value : [value];
  const part: Draft<RetryPromptPart> = { kind: "retry-prompt", content };
  set(part, "toolCallId", takeString(keys, "tool_call_id"));
  set(part, "toolName", takeString(keys, "tool_name"));
  set(part, "timestamp", takeString(keys, "timestamp"));
  set(part, "extra", extraOf(keys, RETRY_PROMPT_KEYS));
  return part;
}

/** Words in another shape are kept as words. */
function takeText(keys: Keys): string {
  const value = take(keys, "content") ?? "";
  if (typeof value === "string") return value;
  keys.report("The content of a part is not text.", keys.raw);
  return contentText(decodeContent(value));
}

/** Missing is "", which a repair of the history replaces. */
function takeId(keys: Keys): string {
  const value = take(keys, "tool_call_id") ?? "";
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  keys.report("The id of a tool call is not text.", keys.raw);
  return "";
}

function takeName(keys: Keys): string | undefined {
  const value = take(keys, "tool_name") ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  keys.report("The name of a tool is not text.", keys.raw);
  return undefined;
}

/** The old program reads text or an object only: other arguments are written as text, with a key of ours beside it. */
function encodeArgs({ args, rawArgs }: ToolCallPart, wire: Draft<JsonObject>): void {
  const isReadable = rawArgs === undefined || typeof rawArgs === "string";
  wire["args"] = isReadable ? (rawArgs ?? args) : JSON.stringify(rawArgs);
  if (!isReadable) wire["raw_args"] = rawArgs;
}

/** raw_args is known only where it says the same as args, as we write it. */
function takeArgs(keys: Keys): Pick<ToolCallPart, "args" | "rawArgs"> {
  const decoded = decodeLegacyArgs(take(keys, "args"));
  const isOurs = (value: JsonValue): value is JsonValue =>
    typeof value !== "string" && JSON.stringify(value) === decoded.rawArgs;
  const rawArgs = takeIf(keys, "raw_args", isOurs);
  return rawArgs === undefined ? decoded : { args: decoded.args, rawArgs };
}

function isReturnStatus(value: JsonValue): value is ReturnStatus {
  return value === "completed" || value === "failed" || value === "cancelled";
}
