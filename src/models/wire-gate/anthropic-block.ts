// One content block of the Messages API, seen by itself.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { checkBase64, eachObject, isFilled, isWords } from "./check.ts";
import type { BodyReport } from "./report.ts";

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const CALL_ID = /^[a-zA-Z0-9_-]+$/;
const IMAGE_TYPES: readonly unknown[] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

const ALLOWED: ReadonlyMap<unknown, readonly unknown[]> = new Map([
  ["user", ["text", "image", "document", "tool_result"]],
  ["assistant", ["text", "thinking", "redacted_thinking", "tool_use"]],
]);

export function checkBlock(block: JsonObject, role: unknown, report: BodyReport): void {
  const { type } = block;
  const allowed = ALLOWED.get(role);
  if (allowed !== undefined && !allowed.includes(type)) {
    report.here(".type", `must be one of ${allowed.join(", ")}`);
    return;
  }
  switch (type) {
    case "text":
      if (!isWords(block["text"])) report.here(".text", "must hold words");
      break;
    case "image":
      checkImage(block, report);
      break;
    case "tool_use":
      checkToolUse(block, report);
      break;
    case "tool_result":
      checkToolResult(block, report);
      break;
    case "thinking":
      if (typeof block["thinking"] !== "string") report.here(".thinking", "must be text");
      if (!isFilled(block["signature"])) report.here(".signature", "must not be missing");
      break;
    case "redacted_thinking":
      if (!isFilled(block["data"])) report.here(".data", "must not be missing");
  }
  const mark = block["cache_control"];
  if (mark === undefined || mark === null) return;
  if (isThinking(block)) report.here(".cache_control", "must not be set on thinking");
  if (!isJsonObject(mark) || mark["type"] !== "ephemeral") report.here(".cache_control", "must be ephemeral");
}

export function isThinking({ type }: JsonObject): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

function checkToolUse({ id, name, input }: JsonObject, report: BodyReport): void {
  if (typeof id !== "string" || !CALL_ID.test(id)) report.here(".id", `must be like ${CALL_ID}`);
  if (typeof name !== "string" || !TOOL_NAME.test(name)) report.here(".name", `must be like ${TOOL_NAME}`);
  if (!isJsonObject(input)) report.here(".input", "must be an object");
}

function checkToolResult(block: JsonObject, report: BodyReport): void {
  const id = block["tool_use_id"];
  if (typeof id !== "string" || !CALL_ID.test(id)) report.here(".tool_use_id", `must be like ${CALL_ID}`);
  const isError = block["is_error"];
  if (isError !== undefined && typeof isError !== "boolean")
    report.here(".is_error", "must be true or false");
  const { content } = block;
  if (isError === true && (content === undefined || content === "" || isEmptyList(content)))
    report.here(".content", "must not be empty in a result that is an error");
  if (content === undefined || typeof content === "string") return;
  eachObject(content, ".content", report, (part) => checkResultPart(part, isError === true, report));
}

function isEmptyList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}

function checkResultPart(part: JsonObject, isError: boolean, report: BodyReport): void {
  if (part["type"] === "text") {
    if (!isWords(part["text"])) report.here(".text", "must hold words");
  } else if (isError) report.here(".type", "must be text in a result that is an error");
  else if (part["type"] === "image") checkImage(part, report);
  else if (part["type"] !== "document") report.here(".type", "must be text, image or document");
}

function checkImage({ source }: JsonObject, report: BodyReport): void {
  if (!isJsonObject(source)) {
    report.here(".source", "must be an object");
    return;
  }
  if (source["type"] === "base64") {
    if (!IMAGE_TYPES.includes(source["media_type"]))
      report.here(".source.media_type", `must be one of ${IMAGE_TYPES.join(", ")}`);
    checkBase64(source["data"], ".source.data", report);
  } else if (source["type"] === "url" ? !isFilled(source["url"]) : source["type"] !== "file")
    report.here(".source", "must be base64, a URL or a file");
}
