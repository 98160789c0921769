// Google Gemini: key, errors, and where grammar and replies are found.
import type { JsonObject } from "../../../../src/base/json.ts";
import { dataEvent } from "../sse.ts";
import type { Problem, Speaker } from "../wire.ts";
import { googleGrammar } from "./grammar.ts";
import { googleStream, googleWhole } from "./reply.ts";

export const googleSpeaker: Speaker = {
  grammar: googleGrammar,
  keyOf: (headers, url) => headers.get("x-goog-api-key") ?? url.searchParams.get("key") ?? undefined,
  checkHeaders: () => undefined,
  missingKey: {
    path: "",
    status: 403,
    message:
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  },
  // Google answers 400 where others answer 401. The reason shows the difference.
  badKey: () => ({
    path: "",
    status: 400,
    code: "API_KEY_INVALID",
    message: "API key not valid. Please pass a valid API key.",
  }),
  unknownModel: (model) => ({
    path: "model",
    status: 404,
    message: `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
  }),
  overflow: (tokens, window) => ({
    path: "contents",
    message: `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${window}).`,
  }),
  notJson: (reason) => ({ path: "", message: `Invalid JSON payload received. ${reason}` }),
  tooLarge: (_, limit) => ({
    path: "",
    message: `Request payload size exceeds the limit: ${limit} bytes. Please use the Files API.`,
  }),
  errorBody,
  stream: googleStream,
  whole: googleWhole,
  streamFailure: ({ status, message, code }) =>
    dataEvent(errorBody({ path: "", message, ...(code === undefined ? {} : { code }) }, status)),
  lineEnd: "\r\n",
};

function errorBody({ message, code }: Problem, status: number): JsonObject {
  const details =
    code === undefined
      ? {}
      : {
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.ErrorInfo",
              reason: code,
              domain: "googleapis.com",
            },
          ],
        };
  return { error: { code: status, message, status: statusName(status), ...details } };
}

function statusName(status: number): string {
  const names: Readonly<Record<number, string>> = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
  };
  return names[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
}
