// What both of OpenAI's wire formats share: the key, the error body, the refusals before the grammar.
import type { JsonObject } from "../../../../src/base/json.ts";
import type { Problem, Speaker } from "../wire.ts";

export const openaiBase = {
  keyOf: (headers: Headers) => headers.get("authorization")?.replace(/^Bearer /, "") || undefined,
  checkHeaders: () => undefined,
  missingKey: {
    path: "",
    status: 401,
    message:
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.",
  },
  badKey: (key: string): Problem => ({
    path: "",
    status: 401,
    code: "invalid_api_key",
    message: `Incorrect API key provided: ${key.slice(0, 3)}****. You can find your API key at https://platform.openai.com/account/api-keys.`,
  }),
  unknownModel: (model: string): Problem => ({
    path: "",
    status: 404,
    code: "model_not_found",
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
  }),
  notJson: (): Problem => ({
    path: "",
    message: "We could not parse the JSON body of your request.",
  }),
  tooLarge: (bytes: number, limit: number): Problem => ({
    path: "",
    status: 413,
    message: `Request body too large: ${bytes} bytes, the maximum is ${limit} bytes.`,
  }),
  errorBody,
  lineEnd: "\n",
} satisfies Partial<Speaker>;

export function errorBody({ path, message, code }: Problem, status: number): JsonObject {
  return {
    error: { message, type: errorType(status), param: path === "" ? null : path, code: code ?? null },
  };
}

export function errorType(status: number): string {
  if (status === 429) return "rate_limit_exceeded";
  return status < 500 ? "invalid_request_error" : "server_error";
}
