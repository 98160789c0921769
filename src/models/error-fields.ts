// Reads the fields of a vendor's error from any envelope: the shapes of OpenAI, Anthropic, Google, Mistral, xAI, Ollama
// and FastAPI, an error frame of a stream, or what the SDK made of one.
import { defined } from "../base/defined.ts";
import { isJsonObject, type JsonObject, parseJson } from "../base/json.ts";

export interface ErrorFields {
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
  readonly type?: string;
  /** The field of the request that it is about. */
  readonly param?: string;
  /** How long the vendor asks to wait, if the body says so. */
  readonly retryDelayMs?: number;
}

export function errorFieldsOfText(text: string): ErrorFields {
  const parsed = parseJson(text);
  return parsed.ok ? errorFields(parsed.value) : { message: "" };
}

export function errorFields(value: unknown): ErrorFields {
  const error = innermost(value);
  if (error === undefined) return { message: typeof value === "string" ? value : "" };
  const code = detailOf(error, "reason") ?? text(error["code"]) ?? text(error["error_code"]);
  const type = text(error["status"]) ?? text(error["type"]);
  const status = statusOf(error) ?? STATUS_OF_TYPE[code ?? ""] ?? STATUS_OF_TYPE[type ?? ""];
  const seconds = Number.parseFloat(detailOf(error, "retryDelay") ?? "");
  const retryDelayMs = Number.isFinite(seconds) ? Math.round(seconds * 1000) : undefined;
  const param = text(error["param"]);
  return { message: messageOf(error), ...defined({ status, code, type, param, retryDelayMs }) };
}

/** True for any of these envelopes. No event of an answer has such fields at its top level. */
export function isErrorChunk(chunk: unknown): boolean {
  if (Array.isArray(chunk)) return isErrorChunk(chunk[0]);
  if (!isJsonObject(chunk)) return false;
  const { error, response, message, detail } = chunk;
  if (error || (isJsonObject(response) && response["error"])) return true;
  return typeof message === "string" || typeof detail === "string";
}

/** The object that holds the message: envelopes nest it under `error`, `response.error`, `data` or in a list. */
function innermost(value: unknown): JsonObject | undefined {
  if (Array.isArray(value)) return innermost(value[0]);
  if (!isJsonObject(value)) return undefined;
  const response = value["response"];
  if (isJsonObject(response) && isJsonObject(response["error"])) return response["error"];
  return isJsonObject(value["error"]) ? innermost(value["error"]) : value;
}

function messageOf(error: JsonObject): string {
  // OpenRouter: { message: "Provider returned error", metadata: { raw: what the vendor behind it said } }.
  const raw = isJsonObject(error["metadata"]) ? text(error["metadata"]["raw"]) : undefined;
  if (raw !== undefined) return raw;
  for (const name of ["message", "error", "detail", "title"]) {
    const value = error[name];
    if (typeof value === "string") return value;
    if (typeof value === "object" && value !== null) return JSON.stringify(value);
  }
  return "";
}

function statusOf(error: JsonObject): number | undefined {
  for (const name of ["statusCode", "status", "status_code", "code"]) {
    const value = Number(error[name]);
    if (Number.isInteger(value) && value >= 400 && value <= 599) return value;
  }
  return undefined;
}

function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Errors inside a stream have no status. */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  request_too_large: 413,
  context_length_exceeded: 400,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  api_error: 500,
  server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/** Google: details: [{ "@type": "...ErrorInfo", "reason": "API_KEY_INVALID" }, { "retryDelay": "34s" }]. */
function detailOf(error: JsonObject, name: string): string | undefined {
  const details = Array.isArray(error["details"]) ? error["details"] : [];
  return details.map((detail) => (isJsonObject(detail) ? text(detail[name]) : undefined)).find(Boolean);
}
