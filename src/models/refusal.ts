// Recognises that a vendor refused a request for what the conversation holds, and what it names of it. Vendors use the
// same statuses for wrong parameters, keys, credit and models, which no other form of the conversation can put right.
import { sha256 } from "../base/digest.ts";
import { isJsonObject, type JsonValue, parseJson } from "../base/json.ts";
import type { ErrorFields } from "./error-fields.ts";

/** Undefined: it is about something else. Otherwise what is named, in the words of a SimplerForm. */
export function contentRefusal(fields: ErrorFields, body = ""): readonly string[] | undefined {
  return isAboutContent(fields) ? namedContent(`${fields.param ?? ""} ${fields.message}`, body) : undefined;
}

function isAboutContent({ status, code, type, param = "", message }: ErrorFields): boolean {
  if (status === 401 || status === 402 || status === 403 || status === 429) return false;
  // Some servers answer with another status, and would do so for ever.
  if (UNABLE.test(message)) return true;
  if (status !== 400 && status !== 413 && status !== 422) return false;
  if (PLACE.test(`${param} ${message}`)) return true;
  if (param !== "" && !/^(messages|input|contents|prompt)\b/.test(param)) return false;
  if (IMAGE.test(message)) return true;
  return ![code, type].some((name) => NOT_CONTENT_CODES.test(name ?? "")) && !NOT_CONTENT.test(message);
}

/** The piece at the place that is named; else the kinds of pieces that are mentioned. */
export function namedContent(words: string, body: string): readonly string[] {
  const piece = pieceAt(words, body);
  if (piece.length > 0) return piece;
  const types = new Set(words.match(/\bimage\/[a-z+]+/g));
  const [type] = types;
  if (type !== undefined && types.size === 1) return [type];
  return KINDS.flatMap(([kind, mentioned]) => (mentioned.test(words) ? [kind] : []));
}

/** messages.3.content.1, input[3].content, contents[3].parts[0], or ["body", "messages", 3, "content"]. */
const PLACE = /\b(messages|input|contents)["'\].,[\s]{1,4}(\d+)((?:["'\].,[]{1,3}\w+)*)/;

/** A model or a server that can't take something at all, whatever the status. */
const UNABLE = new RegExp(
  [
    // OpenRouter, with a 404
    "no endpoints found that support image",
    // llama.cpp, with a 500
    "image input is not supported",
    "unsupported content part type",
    "failed to parse messages",
    // The chat templates of many open models, with a 400 or a 500
    "roles must alternate",
    // vLLM, with a 400 or a 500
    "is not a multimodal model",
  ].join("|"),
  "i",
);

const IMAGE =
  /\bimages?\b|image_url|input_image|inline_?data|multimodal|\bvision\b|payload size|(request|entity|body) (is )?too large/i;
const KINDS: readonly (readonly [kind: string, mentioned: RegExp])[] = [
  ["image", IMAGE],
  ["thinking", /thinking|thought|reasoning|signature|encrypted/i],
  ["tool", /tool|function/i],
];

const NOT_CONTENT_CODES =
  /api_key|auth|billing|quota|credit|balance|unsupported_parameter|unknown_parameter|unsupported_value|model_|FAILED_PRECONDITION/i;

const NOT_CONTENT = new RegExp(
  [
    // The key, the account, money, the place
    "api[ _-]?key|authenticat|authoriz|credential|permission|organi[sz]ation|subscription|\\baccount\\b|\\bplan\\b",
    "credit|billing|balance|quota|payment|usage limit|spend|funds|location is not supported|your (country|region)",
    // The model, and what it can't do at all
    "(invalid|unknown|unsupported|no such) model|not a valid model|model.{0,60} (not found|(not|n't) exist|unavailable)",
    "model.{0,60} (is not (available|supported|loaded)|decommissioned|deprecated|no longer)",
    "not supported (with|by|for) this model|(does not|doesn't) support (tool|function|thinking|stream|chat|system)",
    "(function calling|developer instruction|thinking|system \\w+) is not (enabled|supported)|system role",
    // Parameters
    "(unsupported|unknown|unrecognized) (request )?(parameter|argument)|invalid parameter|extra inputs|unknown name",
    "temperature|top_?[pk]\\b|max_?(output_?|completion_?)?tokens|budget|effort|thinking_?level|thinking_?config",
    "thinking\\.(type|enabled|disabled|adaptive)|tool[_ ]?choice|tool_?config|parallel_tool_calls|tool-call-parser",
    "\\btools?[.[]\\d|function_?declarations|schema|response_?format|output_config|generation_?config|safety_?settings",
    "stream_options|penalty|service_tier|verbosity|\\bseed\\b|\\bbeta\\b|\\bversion\\b|\\bheader\\b|system_?instruction",
  ].join("|"),
  "i",
);

function pieceAt(words: string, body: string): readonly string[] {
  const [, list, index, rest = ""] = PLACE.exec(words) ?? [];
  if (list === undefined || index === undefined) return [];
  const parsed = parseJson(body);
  let value: JsonValue | undefined = parsed.ok ? parsed.value : undefined;
  let found: readonly string[] = [];
  for (const step of [list, index, ...(rest.match(/\w+/g) ?? [])]) {
    if (Array.isArray(value)) value = value[Number(step)];
    // Vendors also name the type of a block on the way, which is no key.
    else if (isJsonObject(value) && value[step] !== undefined) value = value[step];
    const named = pieceName(value);
    if (named !== undefined) found = [named];
  }
  return found;
}

/** What a SimplerForm calls this piece of a body. */
function pieceName(value: JsonValue | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const { type, source, image_url, inlineData, functionCall, functionResponse } = value;
  const data = imageData(source) ?? imageData(inlineData) ?? imageData(image_url);
  if (data !== undefined) return sha256(data);
  if (/thinking|reasoning/.test(String(type)) || value["thought"] === true) return "thinking";
  for (const name of [value["tool_use_id"], value["tool_call_id"], value["call_id"]])
    if (typeof name === "string") return name;
  const call = isJsonObject(functionCall) ? functionCall : functionResponse;
  if (isJsonObject(call) && typeof call["name"] === "string") return call["name"];
  const isCall = type === "tool_use" || (type === "function" && "function" in value);
  return isCall && typeof value["id"] === "string" ? value["id"] : undefined;
}

function imageData(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return /^data:[^,]*,(.*)$/s.exec(value)?.[1];
  if (!isJsonObject(value)) return undefined;
  return typeof value["data"] === "string" ? value["data"] : imageData(value["url"]);
}
