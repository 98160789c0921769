// One content block of the Messages API, seen by itself.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { checkBase64, isFilled, isWords, objectsOf, type Report } from "./check.ts";

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const CALL_ID = /^[a-zA-Z0-9_-]+$/;
const IMAGE_TYPES: readonly unknown[] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

const ALLOWED: Readonly<Record<string, readonly unknown[]>> = {
  user: ["text", "image", "document", "tool_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use"],
};

export function checkBlock(block: JsonObject, role: unknown, place: string, report: Report): void {
  const { type } = block;
  const allowed = ALLOWED[String(role)];
  if (allowed !== undefined && !allowed.includes(type)) {
    report(`${place}.type`, `must be one of ${allowed.join(", ")}`);
    return;
  }
  switch (type) {
    case "text":
      if (!isWords(block["text"])) report(`${place}.text`, "must hold words");
      break;
    case "image":
      checkImage(block, place, report);
      break;
    case "tool_use":
      checkToolUse(block, place, report);
      break;
    case "tool_result":
      checkToolResult(block, place, report);
      break;
    case "thinking":
      if (typeof block["thinking"] !== "string") report(`${place}.thinking`, "must be text");
      if (!isFilled(block["signature"])) report(`${place}.signature`, "must not be missing");
      break;
    case "redacted_thinking":
      if (!isFilled(block["data"])) report(`${place}.data`, "must not be missing");
  }
  const mark = block["cache_control"];
  if (mark === undefined || mark === null) return;
  if (isThinking(block)) report(`${place}.cache_control`, "must not be set on thinking");
  if (!isJsonObject(mark) || mark["type"] !== "ephemeral")
    report(`${place}.cache_control`, "must be ephemeral");
}

export function isThinking({ type }: JsonObject): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

function checkToolUse({ id, name, input }: JsonObject, place: string, report: Report): void {
  if (typeof id !== "string" || !CALL_ID.test(id)) report(`${place}.id`, `must be like ${CALL_ID}`);
  if (typeof name !== "string" || !TOOL_NAME.test(name)) report(`${place}.name`, `must be like ${TOOL_NAME}`);
  if (!isJsonObject(input)) report(`${place}.input`, "must be an object");
}

function checkToolResult(block: JsonObject, place: string, report: Report): void {
  const id = block["tool_use_id"];
  if (typeof id !== "string" || !CALL_ID.test(id)) report(`${place}.tool_use_id`, `must be like ${CALL_ID}`);
  const isError = block["is_error"];
  if (isError !== undefined && typeof isError !== "boolean")
    report(`${place}.is_error`, "must be true or false");
  const { content } = block;
  if (isError === true && (content === undefined || content === "" || isEmptyList(content)))
    report(`${place}.content`, "must not be empty in a result that is an error");
  if (content === undefined || typeof content === "string") return;
  objectsOf(content, `${place}.content`, report).forEach((part, index) => {
    checkResultPart(part, isError === true, `${place}.content[${index}]`, report);
  });
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}

function checkResultPart(part: JsonObject, isError: boolean, place: string, report: Report): void {
  if (part["type"] === "text") {
    if (!isWords(part["text"])) report(`${place}.text`, "must hold words");
  } else if (isError) report(`${place}.type`, "must be text in a result that is an error");
  else if (part["type"] === "image") checkImage(part, place, report);
  else if (part["type"] !== "document") report(`${place}.type`, "must be text, image or document");
}

function checkImage({ source }: JsonObject, place: string, report: Report): void {
  if (!isJsonObject(source)) {
    report(`${place}.source`, "must be an object");
    return;
  }
  if (source["type"] === "base64") {
    if (!IMAGE_TYPES.includes(source["media_type"]))
      report(`${place}.source.media_type`, `must be one of ${IMAGE_TYPES.join(", ")}`);
    checkBase64(source["data"] as JsonValue | undefined, `${place}.source.data`, report);
  } else if (source["type"] === "url" ? !isFilled(source["url"]) : source["type"] !== "file")
    report(`${place}.source`, "must be base64, a URL or a file");
}
