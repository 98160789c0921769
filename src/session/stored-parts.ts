// The parts of a message on disk.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { contentText } from "../domain/content.ts";
import type { Part, ReturnStatus, ToolCallPart, ToolReturnPart, UserPromptPart } from "../domain/part.ts";
import { areDetails, type ToolDetails } from "../domain/tool-details.ts";
import { decodeLegacyArgs } from "./legacy.ts";
import { decodeContent, encodeContent } from "./stored-content.ts";
import {
  bounded,
  type DecodingReport,
  type Draft,
  isString,
  type Keys,
  readKeys,
  set,
  shapeOf,
  snakeCase,
  take,
  takeFields,
  takeIf,
  withKeys,
  writeFields,
} from "./stored-keys.ts";

/** Where a part stands, and who is told what of it was not understood. */
interface PartPlace {
  readonly side: "request" | "response";
  /** Names of the calls met so far, by id: old returns don't carry the name. */
  readonly toolNames: Map<string, string>;
  readonly report: DecodingReport;
}

const UNKNOWN_TOOL = "unknown";

const CONTENT = ["part_kind", "content"];
const CALL = ["part_kind", "tool_call_id", "tool_name"];
const SHAPES = {
  "user-prompt": shapeOf(CONTENT, { timestamp: isString }),
  text: shapeOf(CONTENT, { providerDetails: isJsonObject }),
  thinking: shapeOf(CONTENT, { signature: isString, providerName: isString, providerDetails: isJsonObject }),
  "tool-call": shapeOf([...CALL, "args", "raw_args"], { providerDetails: isJsonObject }),
  "tool-return": shapeOf([...CALL, "content", "details"], {
    status: isReturnStatus,
    keptIn: isString,
    timestamp: isString,
  }),
  "retry-prompt": shapeOf(CONTENT, { toolCallId: isString, toolName: isString, timestamp: isString }),
};

/** null: nothing of it stays in the message. Either it is a system prompt, or it was reported. */
export function decodePart(raw: JsonValue, place: PartPlace): Part | null {
  if (typeof raw === "string") return decodePart({ part_kind: "text", content: raw }, place);
  if (!isJsonObject(raw)) {
    place.report("A part is neither an object nor text.", raw);
    return null;
  }
  const keys = readKeys(raw, place.report);
  const kind = raw["part_kind"];
  switch (kind) {
    case "system-prompt":
      return null;
    case "user-prompt":
      return decodeUserPrompt(keys);
    case "text":
      // Text in a request is a person's.
      return place.side === "request"
        ? decodeUserPrompt(keys)
        : complete({ kind, content: takeText(keys) }, keys);
    case "thinking":
      return complete({ kind, content: takeText(keys) }, keys);
    case "tool-call":
      return decodeToolCall(keys, place.toolNames);
    case "tool-return":
      return decodeToolReturn(keys, place.toolNames);
    case "retry-prompt": {
      const value = take(keys, "content") ?? "";
      const content = typeof value === "string" || Array.isArray(value) ? value : [value];
      return complete({ kind, content }, keys);
    }
  }
  if (typeof kind === "string") return { kind: "unknown", raw: bounded(keys, raw) };
  if (typeof raw["content"] === "string") return decodePart({ ...raw, part_kind: "text" }, place);
  place.report("A part has no kind.", raw);
  return null;
}

export function encodePart(part: Part): JsonValue {
  if (part.kind === "unknown") return part.raw;
  const wire: Draft<JsonObject> = { ...part.extra, part_kind: part.kind };
  switch (part.kind) {
    case "tool-call":
      wire["tool_name"] = part.toolName;
      wire["tool_call_id"] = part.toolCallId;
      encodeArgs(part, wire);
      break;
    case "tool-return":
      wire["tool_name"] = part.toolName || UNKNOWN_TOOL;
      wire["tool_call_id"] = part.toolCallId;
      wire["content"] = encodeContent(part.content);
      if (part.details !== undefined) wire["details"] = withKeys({ ...part.details }, snakeCase);
      break;
    case "user-prompt":
      wire["content"] = encodeContent(part.content);
      break;
    default:
      wire["content"] = part.content;
  }
  return writeFields(wire, part, SHAPES[part.kind]);
}

/** With its optional fields. */
function complete<Kind extends Exclude<Part, { kind: "unknown" }>>(part: Kind, keys: Keys): Kind {
  return takeFields(part, keys, SHAPES[part.kind]);
}

function decodeUserPrompt(keys: Keys): UserPromptPart {
  return complete({ kind: "user-prompt", content: decodeContent(take(keys, "content") ?? "") }, keys);
}

function decodeToolCall(keys: Keys, toolNames: PartPlace["toolNames"]): ToolCallPart {
  const toolCallId = takeId(keys);
  const toolName = takeName(keys) ?? UNKNOWN_TOOL;
  toolNames.set(toolCallId, toolName);
  return complete({ kind: "tool-call", toolCallId, toolName, ...takeArgs(keys) }, keys);
}

function decodeToolReturn(keys: Keys, toolNames: PartPlace["toolNames"]): ToolReturnPart {
  const toolCallId = takeId(keys);
  const toolName = takeName(keys) || toolNames.get(toolCallId) || UNKNOWN_TOOL;
  const value = take(keys, "content");
  const content = decodeContent(value === undefined ? "" : value);
  const part: Draft<ToolReturnPart> = { kind: "tool-return", toolCallId, toolName, content };
  set(part, "details", takeDetails(keys));
  return complete(part, keys);
}

function takeDetails(keys: Keys): ToolDetails | undefined {
  const raw = take(keys, "details");
  if (raw === undefined) return undefined;
  const details = isJsonObject(raw) ? withKeys(raw, camelCase) : raw;
  if (areDetails(details)) return details;
  keys.refused.push("details");
  return undefined;
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Content in another form is kept as text. */
function takeText(keys: Keys): string {
  const value = take(keys, "content") ?? "";
  if (typeof value === "string") return value;
  keys.report("The content of a part is not text.", keys.raw);
  return contentText(decodeContent(value));
}

/** A missing id is "", which a repair of the history replaces. */
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

/** The old program reads only text or an object: other arguments are written as text, and as they are in `raw_args`. */
function encodeArgs({ args, rawArgs }: ToolCallPart, wire: Draft<JsonObject>): void {
  const isReadable = rawArgs === undefined || typeof rawArgs === "string";
  wire["args"] = isReadable ? (rawArgs ?? args) : JSON.stringify(rawArgs);
  if (!isReadable) wire["raw_args"] = rawArgs;
}

/** raw_args is ours only where it says the same as args. */
function takeArgs(keys: Keys): Pick<ToolCallPart, "args" | "rawArgs"> {
  const decoded = decodeLegacyArgs(take(keys, "args"));
  const rawArgs = takeIf(
    keys,
    "raw_args",
    (value): value is JsonValue => typeof value !== "string" && JSON.stringify(value) === decoded.rawArgs,
  );
  return rawArgs === undefined ? decoded : { args: decoded.args, rawArgs };
}

export function isReturnStatus(value: JsonValue | undefined): value is ReturnStatus {
  return value === "completed" || value === "failed" || value === "cancelled";
}
