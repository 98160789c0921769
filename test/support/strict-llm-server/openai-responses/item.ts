// The rules of a single input item.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/base/json.ts";
import type { IssuedItems } from "../issued-items.ts";
import { isList, textOf, unknownKeys } from "../json-access.ts";
import { checkImageUrl } from "../openai/image-url.ts";
import {
  badValue,
  checkFunctionName,
  checkId,
  checkString,
  missing,
  unknown,
  wrongType,
} from "../openai/parameter.ts";
import { isSeal } from "../seal.ts";
import type { Problem } from "../wire.ts";
import { encryptedFor, sealedPart } from "./encrypted-content.ts";

const KEYS: Readonly<Record<string, ReadonlySet<string>>> = {
  message: new Set(["type", "role", "content", "id", "status", "phase"]),
  function_call: new Set(["type", "id", "call_id", "name", "arguments", "status", "namespace", "caller"]),
  function_call_output: new Set(["type", "id", "call_id", "output", "status"]),
  reasoning: new Set(["type", "id", "summary", "content", "encrypted_content", "status"]),
  item_reference: new Set(["type", "id"]),
};
const ID_PREFIXES: Readonly<Record<string, string>> = {
  message: "msg",
  function_call: "fc",
  function_call_output: "fc",
  reasoning: "rs",
};
const ROLES = ["assistant", "system", "developer", "user"];
const MAX_ID = 64;

export function itemType(item: JsonObject): string {
  return textOf(item["type"] ?? (item["role"] === undefined ? "" : "message"));
}

export function* checkItem(item: JsonValue, path: string, issued: IssuedItems): Generator<Problem> {
  if (!isJsonObject(item)) {
    yield wrongType(path, "an object", item);
    return;
  }
  const type = itemType(item);
  const keys = KEYS[type];
  if (keys === undefined) {
    yield badValue(`${path}.type`, item["type"], Object.keys(KEYS));
    return;
  }
  for (const key of unknownKeys(item, keys)) yield unknown(`${path}.${key}`);
  yield* checkItemId(item["id"], `${path}.id`, ID_PREFIXES[type]);
  switch (type) {
    case "message":
      yield* checkMessage(item, path);
      return;
    case "function_call":
      yield* checkId(`${path}.call_id`, item["call_id"], MAX_ID);
      yield* checkFunctionName(`${path}.name`, item["name"]);
      yield* checkString(`${path}.arguments`, item["arguments"]);
      return;
    case "function_call_output":
      yield* checkId(`${path}.call_id`, item["call_id"], MAX_ID);
      yield* checkContent(item["output"], `${path}.output`, ["input_text", "input_image", "input_file"]);
      return;
    case "reasoning":
      yield* checkReasoning(item, path, issued);
      return;
    case "item_reference":
      if (item["id"] === undefined) yield missing(`${path}.id`);
      else if (!issued.stored.has(textOf(item["id"]))) yield notStored(textOf(item["id"]));
  }
}

function* checkItemId(
  id: JsonValue | undefined,
  path: string,
  prefix: string | undefined,
): Generator<Problem> {
  if (id === undefined) return;
  if (typeof id !== "string") yield wrongType(path, "a string", id);
  else if (!/^[a-zA-Z0-9_-]+$/.test(id)) {
    yield {
      path,
      message: `Invalid '${path}': '${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`,
      code: "invalid_value",
    };
  } else if (id.length > MAX_ID) yield* checkId(path, id, MAX_ID);
  else if (prefix !== undefined && !id.startsWith(prefix)) {
    yield {
      path,
      message: `Invalid '${path}': '${id}'. Expected an ID that begins with '${prefix}'.`,
      code: "invalid_value",
    };
  }
}

function* checkMessage(item: JsonObject, path: string): Generator<Problem> {
  const { role } = item;
  if (typeof role !== "string" || !ROLES.includes(role)) yield badValue(`${path}.role`, role, ROLES);
  const parts =
    role === "assistant"
      ? ["output_text", "refusal"]
      : role === "user"
        ? ["input_text", "input_image", "input_file"]
        : ["input_text"];
  yield* checkContent(item["content"], `${path}.content`, parts);
}

function* checkContent(
  content: JsonValue | undefined,
  path: string,
  types: readonly string[],
): Generator<Problem> {
  if (content === undefined) yield missing(path);
  else if (typeof content === "string") yield* checkString(path, content);
  else if (!isList(content)) yield wrongType(path, "one of a string or array of content parts", content);
  else {
    for (const [index, part] of content.entries()) yield* checkPart(part, `${path}[${index}]`, types);
  }
}

function* checkPart(part: JsonValue, path: string, types: readonly string[]): Generator<Problem> {
  if (!isJsonObject(part)) {
    yield wrongType(path, "an object", part);
    return;
  }
  const type = textOf(part["type"]);
  if (!types.includes(type)) yield badValue(`${path}.type`, part["type"], types);
  else if (type === "input_text" || type === "output_text") yield* checkString(`${path}.text`, part["text"]);
  else if (type === "refusal") yield* checkString(`${path}.refusal`, part["refusal"]);
  else if (type === "input_image" && part["file_id"] === undefined) {
    yield* checkImageUrl(`${path}.image_url`, part["image_url"]);
  }
}

function* checkReasoning(item: JsonObject, path: string, issued: IssuedItems): Generator<Problem> {
  const { id, summary, encrypted_content: encrypted } = item;
  if (!isList(summary)) {
    yield summary === undefined
      ? missing(`${path}.summary`)
      : wrongType(`${path}.summary`, "an array of objects", summary);
  } else {
    for (const [index, part] of summary.entries()) {
      yield* checkSummaryPart(part, `${path}.summary[${index}]`);
    }
  }
  if (encrypted === undefined || encrypted === null) {
    if (id === undefined) yield missing(`${path}.id`);
    else if (!issued.stored.has(textOf(id))) yield notStored(textOf(id));
  } else if (typeof encrypted !== "string") {
    yield wrongType(`${path}.encrypted_content`, "a string", encrypted);
  } else if (!isSeal("openai", sealedPart(encrypted))) {
    yield unverified(encrypted, "Encrypted content could not be decrypted or parsed.");
  } else if (typeof id === "string" && encryptedFor(id) !== encrypted) {
    yield unverified(encrypted, "Encrypted content item_id did not match the target item id.");
  }
}

function* checkSummaryPart(part: JsonValue, path: string): Generator<Problem> {
  if (!isJsonObject(part)) yield wrongType(path, "an object", part);
  else if (part["type"] !== "summary_text") yield badValue(`${path}.type`, part["type"], ["summary_text"]);
  else yield* checkString(`${path}.text`, part["text"]);
}

function unverified(encrypted: string, reason: string): Problem {
  const shown = `${encrypted.slice(0, 4)}...${encrypted.slice(-4)}`;
  return {
    path: "",
    message: `The encrypted content ${shown} could not be verified. Reason: ${reason}`,
    code: "invalid_encrypted_content",
  };
}

function notStored(id: string): Problem {
  return {
    path: "input",
    status: 404,
    message: `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
  };
}
