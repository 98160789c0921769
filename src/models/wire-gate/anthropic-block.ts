// One content block of the Messages API, seen by itself.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import {
  BASE64,
  checkFields,
  eachObject,
  FILLED,
  type FieldRules,
  fields,
  IMAGE_TYPES,
  isFilled,
  like,
  OBJECT,
  oneOf,
  optional,
  TEXT,
  WORDS,
} from "./check.ts";
import type { BodyReport } from "./report.ts";

const CALL_ID = like(/^[a-zA-Z0-9_-]+$/);

const ALLOWED: ReadonlyMap<unknown, readonly unknown[]> = new Map([
  ["user", ["text", "image", "document", "tool_result"]],
  ["assistant", ["text", "thinking", "redacted_thinking", "tool_use"]],
]);

const TEXT_BLOCK = fields({ text: WORDS });
const FIELDS: ReadonlyMap<unknown, FieldRules> = new Map([
  ["text", TEXT_BLOCK],
  ["tool_use", fields({ id: CALL_ID, name: like(/^[a-zA-Z0-9_-]{1,128}$/), input: OBJECT })],
  ["tool_result", fields({ tool_use_id: CALL_ID, is_error: optional(oneOf(true, false)) })],
  ["thinking", fields({ thinking: TEXT, signature: FILLED })],
  ["redacted_thinking", fields({ data: FILLED })],
]);
const RESULT_PART = fields({ type: oneOf("text", "image", "document") });
const ERROR_PART = fields({ type: oneOf("text") });
const IMAGE_SOURCE = fields({ media_type: oneOf(...IMAGE_TYPES), data: BASE64 });

export function checkBlock(block: JsonObject, role: unknown, report: BodyReport): void {
  const { type } = block;
  const allowed = ALLOWED.get(role);
  if (allowed !== undefined && !allowed.includes(type)) {
    report.here(".type", `must be one of ${allowed.join(", ")}`);
    return;
  }
  checkFields(block, FIELDS.get(type) ?? [], report);
  if (type === "image") checkImage(block, report);
  if (type === "tool_result") checkResultContent(block, report);
  const mark = block["cache_control"];
  if (mark === undefined || mark === null) return;
  if (isThinking(block)) report.here(".cache_control", "must not be set on thinking");
  if (!isJsonObject(mark) || mark["type"] !== "ephemeral") report.here(".cache_control", "must be ephemeral");
}

export function isThinking({ type }: JsonObject): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

export function isEmptyContent(content: JsonValue | undefined): boolean {
  return content === "" || (Array.isArray(content) && content.length === 0);
}

function checkResultContent(block: JsonObject, report: BodyReport): void {
  const { content = "", is_error: isError } = block;
  if (isError === true && isEmptyContent(content))
    report.here(".content", "must not be empty in a result that is an error");
  if (typeof content === "string") return;
  eachObject(content, ".content", report, (part) => {
    checkFields(part, isError === true ? ERROR_PART : RESULT_PART, report);
    if (part["type"] === "text") checkFields(part, TEXT_BLOCK, report);
    if (part["type"] === "image") checkImage(part, report);
  });
}

function checkImage({ source }: JsonObject, report: BodyReport): void {
  const { type, url }: JsonObject = isJsonObject(source) ? source : {};
  if (isJsonObject(source) && type === "base64") checkFields(source, IMAGE_SOURCE, report, ".source");
  else if (type === "url" ? !isFilled(url) : type !== "file")
    report.here(".source", "must be base64, a URL or a file");
}
