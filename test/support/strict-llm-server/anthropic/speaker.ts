// Anthropic Messages: headers, errors, and where grammar and replies are found.
import { mintId } from "../issued-items.ts";
import { namedEvent } from "../sse.ts";
import type { Speaker } from "../wire.ts";
import { anthropicGrammar } from "./grammar.ts";
import { anthropicStream, anthropicWhole } from "./reply.ts";

export const anthropicSpeaker: Speaker = {
  grammar: anthropicGrammar,
  keyOf: (headers) =>
    headers.get("x-api-key") ?? headers.get("authorization")?.replace(/^Bearer /, "") ?? undefined,
  checkHeaders: (headers) =>
    headers.get("anthropic-version") === null
      ? { path: "anthropic-version", message: "anthropic-version: header is required" }
      : undefined,
  missingKey: { path: "x-api-key", status: 401, message: "x-api-key header is required" },
  badKey: () => ({ path: "x-api-key", status: 401, message: "invalid x-api-key" }),
  unknownModel: (model) => ({ path: "model", status: 404, message: `model: ${model}` }),
  overflow: (tokens, window) => ({
    path: "messages",
    message: `prompt is too long: ${tokens} tokens > ${window} maximum`,
  }),
  notJson: (reason) => ({ path: "", message: `The request body is not valid JSON: ${reason}` }),
  tooLarge: () => ({ path: "", status: 413, message: "Request exceeds the maximum size" }),
  errorBody: ({ message }, status) => ({
    type: "error",
    error: { type: errorType(status), message },
    request_id: mintId("req_"),
  }),
  stream: anthropicStream,
  whole: anthropicWhole,
  streamFailure: ({ status, message, code }) =>
    namedEvent({ type: "error", error: { type: code ?? errorType(status), message } }),
  lineEnd: "\n",
};

function errorType(status: number): string {
  const types: Readonly<Record<number, string>> = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
  };
  return types[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
}
