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
import { decodeArgs } from "./legacy.ts";
import { decodeContent, encodeContent } from "./wire-content.ts";
import { defined, extraOf, type Keys, readKeys, take, takeIf, takeObject, takeString } from "./wire-keys.ts";

export interface PartPlace {
  readonly side: "request" | "response";
  /** Names of the calls met so far, by id: old returns don't carry the name. */
  readonly toolNames: Map<string, string>;
  readonly report: (reason: string) => void;
}

const UNKNOWN_TOOL = "unknown";

/** null: nothing of it stays in the message. Either it is a system prompt, or it was reported. */
export function decodePart(raw: JsonValue, place: PartPlace): Part | null {
  if (typeof raw === "string") return decodePart({ part_kind: "text", content: raw }, place);
  if (!isJsonObject(raw)) {
    place.report("A part is neither an object nor text.");
    return null;
  }
  const keys = readKeys(raw, ["part_kind"]);
  switch (raw["part_kind"]) {
    case "system-prompt":
      return null;
    case "user-prompt":
      return decodeUserPrompt(keys);
    case "text":
      // In a request only a person speaks.
      return place.side === "request" ? decodeUserPrompt(keys) : decodeText(keys, place);
    case "thinking":
      return decodeThinking(keys, place);
    case "tool-call":
      return decodeToolCall(keys, place);
    case "tool-return":
      return decodeToolReturn(keys, place);
    case "retry-prompt":
      return decodeRetryPrompt(keys);
  }
  if (typeof raw["part_kind"] === "string") return { kind: "unknown", raw };
  if (typeof raw["content"] === "string") return decodePart({ ...raw, part_kind: "text" }, place);
  place.report("A part has no kind.");
  return null;
}

export function encodePart(part: Part): JsonValue {
  switch (part.kind) {
    case "user-prompt":
      return {
        ...part.extra,
        part_kind: part.kind,
        content: encodeContent(part.content),
        ...defined({ timestamp: part.timestamp }),
      };
    case "text":
      return {
        ...part.extra,
        part_kind: part.kind,
        content: part.content,
        ...defined({ provider_details: part.providerDetails }),
      };
    case "thinking":
      return {
        ...part.extra,
        part_kind: part.kind,
        content: part.content,
        ...defined({
          signature: part.signature,
          provider_name: part.providerName,
          provider_details: part.providerDetails,
        }),
      };
    case "tool-call":
      return {
        ...part.extra,
        part_kind: part.kind,
        tool_name: part.toolName,
        tool_call_id: part.toolCallId,
        ...encodeArgs(part),
        ...defined({ provider_details: part.providerDetails }),
      };
    case "tool-return":
      return {
        ...part.extra,
        part_kind: part.kind,
        tool_name: part.toolName || UNKNOWN_TOOL,
        tool_call_id: part.toolCallId,
        content: encodeContent(part.content),
        ...defined({ status: part.status, timestamp: part.timestamp }),
      };
    case "retry-prompt":
      return {
        ...part.extra,
        part_kind: part.kind,
        content: part.content,
        ...defined({
          tool_name: part.toolName,
          tool_call_id: part.toolCallId,
          timestamp: part.timestamp,
        }),
      };
    case "unknown":
      return part.raw;
  }
}

// In the decoders below extraOf comes last: it collects what the lines above it have not taken.

function decodeUserPrompt(keys: Keys): UserPromptPart {
  return {
    kind: "user-prompt",
    content: decodeContent(take(keys, "content") ?? ""),
    ...defined({ timestamp: takeString(keys, "timestamp") }),
    ...extraOf(keys),
  };
}

function decodeText(keys: Keys, { report }: PartPlace): TextPart {
  return {
    kind: "text",
    content: takeText(keys, report),
    ...defined({ providerDetails: takeObject(keys, "provider_details") }),
    ...extraOf(keys),
  };
}

function decodeThinking(keys: Keys, { report }: PartPlace): ThinkingPart {
  return {
    kind: "thinking",
    content: takeText(keys, report),
    ...defined({
      signature: takeString(keys, "signature"),
      providerName: takeString(keys, "provider_name"),
      providerDetails: takeObject(keys, "provider_details"),
    }),
    ...extraOf(keys),
  };
}

function decodeToolCall(keys: Keys, { toolNames, report }: PartPlace): ToolCallPart {
  const toolCallId = takeId(keys, report);
  const toolName = takeName(keys, report) ?? UNKNOWN_TOOL;
  toolNames.set(toolCallId, toolName);
  return {
    kind: "tool-call",
    toolCallId,
    toolName,
    ...takeArgs(keys),
    ...defined({ providerDetails: takeObject(keys, "provider_details") }),
    ...extraOf(keys),
  };
}

function decodeToolReturn(keys: Keys, { toolNames, report }: PartPlace): ToolReturnPart {
  const toolCallId = takeId(keys, report);
  return {
    kind: "tool-return",
    toolCallId,
    toolName: takeName(keys, report) || toolNames.get(toolCallId) || UNKNOWN_TOOL,
    content: decodeContent(take(keys, "content", "")),
    ...defined({
      status: takeIf(keys, "status", isReturnStatus),
      timestamp: takeString(keys, "timestamp"),
    }),
    ...extraOf(keys),
  };
}

function decodeRetryPrompt(keys: Keys): RetryPromptPart {
  const content = take(keys, "content") ?? "";
  return {
    kind: "retry-prompt",
    content: typeof content === "string" || Array.isArray(content) ? content : [content],
    ...defined({
      toolCallId: takeString(keys, "tool_call_id"),
      toolName: takeString(keys, "tool_name"),
      timestamp: takeString(keys, "timestamp"),
    }),
    ...extraOf(keys),
  };
}

type Report = PartPlace["report"];

/** Words in another shape are kept as words. */
function takeText(keys: Keys, report: Report): string {
  const value = take(keys, "content") ?? "";
  if (typeof value === "string") return value;
  report("The content of a part is not text.");
  return contentText(decodeContent(value));
}

/** Missing is "", which a repair of the history replaces. */
function takeId(keys: Keys, report: Report): string {
  const value = take(keys, "tool_call_id") ?? "";
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  report("The id of a tool call is not text.");
  return "";
}

function takeName(keys: Keys, report: Report): string | undefined {
  const value = take(keys, "tool_name") ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  report("The name of a tool is not text.");
  return undefined;
}

/** The old program reads text or an object only: other arguments are written as text, with a key of ours beside it. */
function encodeArgs({ args, rawArgs }: ToolCallPart): JsonObject {
  if (rawArgs === undefined) return { args };
  if (typeof rawArgs === "string") return { args: rawArgs };
  return { args: JSON.stringify(rawArgs), raw_args: rawArgs };
}

function takeArgs(keys: Keys): Pick<ToolCallPart, "args" | "rawArgs"> {
  const decoded = decodeArgs(take(keys, "args"));
  const raw = keys.raw["raw_args"];
  const isOurs = raw !== undefined && typeof raw !== "string" && decoded.rawArgs === JSON.stringify(raw);
  return isOurs ? { args: decoded.args, rawArgs: take(keys, "raw_args") } : decoded;
}

function isReturnStatus(value: JsonValue): value is ReturnStatus {
  return value === "completed" || value === "failed" || value === "cancelled";
}
