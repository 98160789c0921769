// The rules of a single part.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/base/json.ts";
import { IMAGE_TYPES, imageFault } from "../image.ts";
import { textOf, unknownKeys } from "../json-access.ts";
import { isSeal } from "../seal.ts";
import type { Problem } from "../wire.ts";
import { field, request, unknownName } from "./place.ts";

const DATA = ["text", "inlineData", "functionCall", "functionResponse", "fileData"];
const KNOWN = new Set([...DATA, "thought", "thoughtSignature", "videoMetadata", "mediaResolution"]);
/** Documented for histories that another model wrote. */
const SIGNATURE_BYPASS = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];
const STRUCT = "type.googleapis.com/google.protobuf.Struct";
const OTHER_TYPES = /^(image\/(heic|heif)|audio\/|video\/|text\/|application\/pdf)/;

export function* checkPart(part: JsonValue, path: string): Generator<Problem> {
  if (!isJsonObject(part)) {
    yield field(path, "type.googleapis.com/google.ai.generativelanguage.v1beta.Part", part);
    return;
  }
  for (const key of unknownKeys(part, KNOWN)) yield unknownName(key, path);
  const data = DATA.filter((key) => part[key] !== undefined);
  // An empty text is like a missing one, unless it carries a signature.
  const isBlank = part["text"] === "" && part["thoughtSignature"] === undefined;
  if (data.length === 0 || (data.length === 1 && isBlank)) {
    yield request(`${path}.data`, "required oneof field 'data' must have one initialized field");
  } else if (data.length > 1) {
    const message = `Invalid value at '${path}' (oneof), oneof field 'data' is already set. Cannot set '${data[1]}'`;
    yield { path, message };
  }
  if (part["text"] !== undefined && typeof part["text"] !== "string") {
    yield field(`${path}.text`, "TYPE_STRING", part["text"]);
  }
  yield* checkSignature(part["thoughtSignature"], `${path}.thought_signature`);
  const { inlineData, functionCall, functionResponse } = part;
  if (isJsonObject(inlineData)) yield* checkInlineData(inlineData, `${path}.inline_data`);
  if (isJsonObject(functionCall)) yield* checkCall(functionCall, `${path}.function_call`);
  if (isJsonObject(functionResponse)) yield* checkResponse(functionResponse, `${path}.function_response`);
}

function* checkSignature(signature: JsonValue | undefined, path: string): Generator<Problem> {
  if (signature === undefined || (typeof signature === "string" && SIGNATURE_BYPASS.includes(signature)))
    return;
  if (typeof signature !== "string" || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature)) {
    const shown = JSON.stringify(signature);
    yield {
      path,
      message: `Invalid value at '${path}' (TYPE_BYTES), Base64 decoding failed for ${shown}`,
    };
  } else if (!isSeal("google", signature)) yield { path, message: "Corrupted thought signature." };
}

function* checkInlineData(data: JsonObject, path: string): Generator<Problem> {
  const mimeType = textOf(data["mimeType"]);
  if (OTHER_TYPES.test(mimeType)) return;
  if (!IMAGE_TYPES.includes(mimeType)) {
    yield { path: `${path}.mime_type`, message: `Unsupported MIME type: ${mimeType}` };
    return;
  }
  const words = textOf(data["data"]);
  switch (imageFault(words, mimeType)) {
    case "not-base64":
      yield {
        path: `${path}.data`,
        message: `Invalid value at '${path}.data' (TYPE_BYTES), Base64 decoding failed for "${words.slice(0, 60)}"`,
      };
      return;
    case "empty":
    case "not-an-image":
      yield {
        path,
        message:
          "Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
      };
  }
}

function* checkCall(call: JsonObject, path: string): Generator<Problem> {
  for (const key of unknownKeys(call, new Set(["id", "name", "args"]))) yield unknownName(key, path);
  yield* checkName(call["name"], `${path}.name`);
  yield* checkId(call["id"], `${path}.id`);
  const { args } = call;
  if (args !== undefined && !isJsonObject(args)) yield field(`${path}.args`, STRUCT, args);
}

function* checkResponse(response: JsonObject, path: string): Generator<Problem> {
  const known = new Set(["id", "name", "response", "parts", "willContinue", "scheduling"]);
  for (const key of unknownKeys(response, known)) yield unknownName(key, path);
  yield* checkName(response["name"], `${path}.name`);
  yield* checkId(response["id"], `${path}.id`);
  const value = response["response"];
  if (value === undefined) yield request(`${path}.response`, "function response is required.");
  else if (!isJsonObject(value)) yield field(`${path}.response`, STRUCT, value);
}

function* checkName(name: JsonValue | undefined, path: string): Generator<Problem> {
  if (name === undefined || name === "") yield request(path, "Name cannot be empty.");
  else if (typeof name !== "string") yield field(path, "TYPE_STRING", name);
  else if (!isFunctionName(name)) yield request(path, FUNCTION_NAME_RULE);
}

function* checkId(id: JsonValue | undefined, path: string): Generator<Problem> {
  if (id !== undefined && typeof id !== "string") yield field(path, "TYPE_STRING", id);
}

export function isFunctionName(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name);
}

export const FUNCTION_NAME_RULE =
  "Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.";
