// The rules of a single content block.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/base/json.ts";
import { IMAGE_TYPES, imageFault, imageType } from "../image.ts";
import { isList, textOf, unknownKeys } from "../json-access.ts";
import { isSeal, seal } from "../seal.ts";
import type { Problem } from "../wire.ts";
import { at } from "./at.ts";

const KEYS: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(["type", "text", "cache_control", "citations"]),
  image: new Set(["type", "source", "cache_control"]),
  document: new Set(["type", "source", "title", "context", "citations", "cache_control"]),
  tool_use: new Set(["type", "id", "name", "input", "cache_control", "caller"]),
  tool_result: new Set(["type", "tool_use_id", "content", "is_error", "cache_control"]),
  // No cache mark on thinking.
  thinking: new Set(["type", "thinking", "signature"]),
  redacted_thinking: new Set(["type", "data"]),
};
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  user: ["text", "image", "document", "tool_result"],
  assistant: ["text", "tool_use", "thinking", "redacted_thinking"],
  tool_result: ["text", "image", "document"],
};
const ID = /^[a-zA-Z0-9_-]+$/;
const ID_PATTERN = "String should match pattern '^[a-zA-Z0-9_-]+$'";
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** `where`: the role of the message, or tool_result for the blocks inside one. */
export function* checkBlock(block: JsonValue, path: string, where: string): Generator<Problem> {
  if (!isJsonObject(block)) {
    yield at(path, "Input should be a valid dictionary");
    return;
  }
  const type = textOf(block["type"]);
  const allowed = ALLOWED[where] ?? Object.keys(KEYS);
  if (!allowed.includes(type)) {
    const expected = allowed.map((name) => `'${name}'`).join(", ");
    yield at(
      path,
      `Input tag '${type}' found using 'type' does not match any of the expected tags: ${expected}`,
    );
    return;
  }
  for (const key of unknownKeys(block, KEYS[type] ?? new Set())) {
    yield at(`${path}.${type}.${key}`, "Extra inputs are not permitted");
  }
  switch (type) {
    case "text":
      yield* checkText(block, path);
      return;
    case "image":
      yield* checkImage(block["source"], `${path}.image.source`);
      return;
    case "tool_use":
      yield* checkToolUse(block, `${path}.tool_use`);
      return;
    case "tool_result":
      yield* checkToolResult(block, path);
      return;
    case "thinking":
      yield* checkThinking(block, path);
      return;
    case "redacted_thinking":
      yield* checkRedacted(block, path);
      return;
  }
}

function* checkText(block: JsonObject, path: string): Generator<Problem> {
  const words = block["text"];
  if (typeof words !== "string") {
    yield at(`${path}.text.text`, words === undefined ? "Field required" : "Input should be a valid string");
  } else if (words === "" && block["cache_control"] !== undefined) {
    yield at(`${path}.text`, "cache_control cannot be set for empty text blocks");
  } else if (words === "") {
    yield at("messages", "text content blocks must be non-empty");
  } else if (words.trim() === "") {
    yield at("messages", "text content blocks must contain non-whitespace text");
  }
}

function* checkToolUse(block: JsonObject, path: string): Generator<Problem> {
  const { id, name, input } = block;
  if (id === undefined) yield at(`${path}.id`, "Field required");
  else if (typeof id !== "string" || !ID.test(id)) yield at(`${path}.id`, ID_PATTERN);
  if (name === undefined) yield at(`${path}.name`, "Field required");
  else if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
    yield at(`${path}.name`, "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
  }
  if (input === undefined) yield at(`${path}.input`, "Field required");
  else if (!isJsonObject(input)) yield at(`${path}.input`, "Input should be a valid dictionary");
}

function* checkToolResult(block: JsonObject, path: string): Generator<Problem> {
  const { tool_use_id: id, content, is_error: isError } = block;
  if (id === undefined) yield at(`${path}.tool_result.tool_use_id`, "Field required");
  else if (typeof id !== "string" || !ID.test(id)) yield at(`${path}.tool_result.tool_use_id`, ID_PATTERN);
  if (isError !== undefined && typeof isError !== "boolean") {
    yield at(`${path}.tool_result.is_error`, "Input should be a valid boolean");
  }
  const isEmpty = content === undefined || content === "" || (isList(content) && content.length === 0);
  if (isEmpty && isError === true) {
    yield at(`${path}.tool_result`, "content cannot be empty if `is_error` is true");
  }
  if (content === undefined || typeof content === "string") return;
  if (!isList(content)) {
    yield at(`${path}.tool_result.content`, "Input should be a valid list");
    return;
  }
  for (const [place, inner] of content.entries()) {
    yield* checkBlock(inner, `${path}.tool_result.content.${place}`, "tool_result");
    if (isError === true && isJsonObject(inner) && inner["type"] !== "text") {
      yield at(`${path}.tool_result`, "all content must be type `text` if `is_error` is true");
    }
  }
}

function* checkImage(source: JsonValue | undefined, path: string): Generator<Problem> {
  if (!isJsonObject(source)) {
    yield at(path, "Field required");
    return;
  }
  if (source["type"] === "url") {
    if (!/^https:\/\//.test(textOf(source["url"]))) yield at(`${path}.url`, "Only HTTPS URLs are supported.");
    return;
  }
  if (source["type"] !== "base64") {
    yield at(path, "Input tag does not match any of the expected tags: 'base64', 'url', 'file'");
    return;
  }
  const mediaType = textOf(source["media_type"]);
  const data = textOf(source["data"]);
  if (!IMAGE_TYPES.includes(mediaType)) {
    yield at(
      `${path}.base64.media_type`,
      "Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    );
    return;
  }
  switch (imageFault(data, mediaType)) {
    case "empty":
      yield at(`${path}.base64`, "image cannot be empty");
      return;
    case "not-base64":
      yield at(`${path}.base64.data`, "Invalid base64 data");
      return;
    case "not-an-image":
      yield { path, message: "Could not process image" };
      return;
    case "other-type":
      yield at(
        `${path}.base64.data`,
        `The image was specified using the ${mediaType} media type, but the image appears to be a ${imageType(data)} image`,
      );
      return;
    case undefined: {
      const bytes = Buffer.byteLength(data, "base64");
      if (bytes > MAX_IMAGE_BYTES) {
        yield at(`${path}.base64`, `image exceeds 5 MB maximum: ${bytes} bytes > ${MAX_IMAGE_BYTES} bytes`);
      }
    }
  }
}

function* checkThinking(block: JsonObject, path: string): Generator<Problem> {
  const { thinking, signature } = block;
  if (typeof thinking !== "string") yield at(`${path}.thinking.thinking`, "Field required");
  else if (typeof signature !== "string") yield at(`${path}.thinking.signature`, "Field required");
  else if (!isSeal("anthropic", signature)) yield at(path, "Invalid `signature` in `thinking` block");
  else if (seal("anthropic", thinking) !== signature) {
    yield at(
      path,
      "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. " +
        "These blocks must remain as they were in the original response.",
    );
  }
}

function* checkRedacted(block: JsonObject, path: string): Generator<Problem> {
  const { data } = block;
  if (typeof data !== "string") yield at(`${path}.redacted_thinking.data`, "Field required");
  else if (!isSeal("anthropic-redacted", data)) {
    yield at(path, "Invalid `data` in `redacted_thinking` block");
  }
}
