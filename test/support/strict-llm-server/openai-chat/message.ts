// The rules of a single chat message.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/base/json.ts";
import { isList, textOf, unknownKeys } from "../json-access.ts";
import { checkImageUrl } from "../openai/image-url.ts";
import {
  badValue,
  checkFunctionName,
  checkId,
  checkString,
  emptyArray,
  missing,
  unknown,
  wrongType,
} from "../openai/parameter.ts";
import type { Problem } from "../wire.ts";

const ROLES = ["system", "assistant", "user", "function", "tool", "developer"];
const KEYS: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(["role", "content", "name"]),
  developer: new Set(["role", "content", "name"]),
  user: new Set(["role", "content", "name"]),
  assistant: new Set(["role", "content", "name", "refusal", "tool_calls", "audio"]),
  tool: new Set(["role", "content", "tool_call_id", "name"]),
};
/** Fields of their own answers that servers other than OpenAI's accept back. */
const REASONING_KEYS = new Set(["reasoning_content", "reasoning"]);
const PART_TYPES: Readonly<Record<string, readonly string[]>> = {
  user: ["text", "image_url", "input_audio", "file"],
  assistant: ["text", "refusal"],
};
/** Reported against OpenAI directly and behind gateways; some models allow 64 today. */
const MAX_CALL_ID = 40;

export function* checkMessage(message: JsonValue, path: string, isOwn: boolean): Generator<Problem> {
  if (!isJsonObject(message)) {
    yield wrongType(path, "an object", message);
    return;
  }
  const role = message["role"];
  if (role === undefined) {
    yield missing(`${path}.role`);
    return;
  }
  if (typeof role !== "string" || !ROLES.includes(role)) {
    yield badValue(`${path}.role`, role, ROLES);
    return;
  }
  for (const key of unknownKeys(message, KEYS[role] ?? new Set(["role", "content", "name"]))) {
    if (role === "assistant" && !isOwn && REASONING_KEYS.has(key)) continue;
    yield unknown(`${path}.${key}`);
  }
  const name = message["name"];
  if (name !== undefined && (typeof name !== "string" || !/^[^\s<|\\/>]+$/.test(name))) {
    yield {
      path: `${path}.name`,
      message: `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern '^[^\\s<|\\\\/>]+$'.`,
      code: "invalid_value",
    };
  }
  const calls = message["tool_calls"];
  yield* checkContent(message, path, role, calls !== undefined);
  if (role === "tool") yield* checkId(`${path}.tool_call_id`, message["tool_call_id"], MAX_CALL_ID);
  if (calls !== undefined && role === "assistant") yield* checkCalls(calls, `${path}.tool_calls`);
}

function* checkContent(
  message: JsonObject,
  path: string,
  role: string,
  mayBeNull: boolean,
): Generator<Problem> {
  const { content } = message;
  const place = `${path}.content`;
  if (content === undefined || content === null) {
    if (role === "assistant" && (mayBeNull || typeof message["refusal"] === "string")) return;
    if (content === undefined) yield missing(place);
    else {
      const param = place.replace("messages[", "messages.[");
      yield { path: param, message: "Invalid value for 'content': expected a string, got null." };
    }
  } else if (typeof content === "string") yield* checkString(place, content);
  else if (!isList(content)) yield wrongType(place, "one of a string or array of objects", content);
  else if (content.length === 0) yield emptyArray(place);
  else {
    for (const [index, part] of content.entries()) yield* checkPart(part, `${place}[${index}]`, path, role);
  }
}

function* checkPart(part: JsonValue, place: string, path: string, role: string): Generator<Problem> {
  if (!isJsonObject(part)) {
    yield wrongType(place, "an object", part);
    return;
  }
  const type = textOf(part["type"]);
  if (type === "image_url" && role !== "user") {
    yield {
      path,
      message: `Invalid '${path}'. Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`,
      code: "invalid_value",
    };
    return;
  }
  const allowed = PART_TYPES[role] ?? ["text"];
  if (!allowed.includes(type)) yield badValue(`${place}.type`, part["type"], allowed);
  else if (type === "text" || type === "refusal") yield* checkString(`${place}.${type}`, part[type]);
  else if (type === "image_url") {
    const image = part["image_url"];
    if (!isJsonObject(image)) yield wrongType(`${place}.image_url`, "an object", image);
    else yield* checkImageUrl(`${place}.image_url.url`, image["url"]);
  }
}

function* checkCalls(calls: JsonValue, path: string): Generator<Problem> {
  if (!isList(calls)) {
    yield wrongType(path, "an array of objects", calls);
    return;
  }
  if (calls.length === 0) yield emptyArray(path);
  for (const [index, call] of calls.entries()) {
    const place = `${path}[${index}]`;
    if (!isJsonObject(call)) {
      yield wrongType(place, "an object", call);
      continue;
    }
    yield* checkId(`${place}.id`, call["id"], MAX_CALL_ID);
    if (call["type"] === undefined) yield missing(`${place}.type`);
    else if (call["type"] !== "function")
      yield badValue(`${place}.type`, call["type"], ["function", "custom"]);
    const target = call["function"];
    if (!isJsonObject(target)) {
      yield missing(`${place}.function`);
      continue;
    }
    yield* checkFunctionName(`${place}.function.name`, target["name"]);
    // Any text will do: OpenAI itself says that its models may write broken JSON.
    yield* checkString(`${place}.function.arguments`, target["arguments"]);
  }
}
