import { describe, expect, test } from "bun:test";
import { type ProviderError, WireGateError } from "../domain/error.ts";
import { errorFields, errorFieldsOfText } from "./error-fields.ts";
import { type FailureContext, faultFailure, statusFailure, toFailure } from "./errors.ts";
import { resolveProvider } from "./resolve-provider.ts";

const KEY = "sk-very-secret-key";
const context: FailureContext = {
  provider: resolveProvider("openai", { env: { OPENAI_API_KEY: KEY } }),
  model: "gpt-6-sol",
  mask: (text) => text.replaceAll(KEY, "***"),
};

/** "429 rate_limited retried" */
function verdict(status: number | undefined, body: unknown): string {
  const fields = errorFieldsOfText(JSON.stringify(body));
  const failure = statusFailure({ ...fields, ...(status !== undefined && { status }) }, context);
  return `${failure.code} ${failure.retryable ? "retried" : "final"}`;
}

const openai = (error: object) => ({ error: { message: "m", ...error } });

describe("by status and fields", () => {
  test.each([
    [400, openai({ type: "invalid_request_error" }), "provider_error final"],
    [401, openai({ code: "invalid_api_key" }), "auth final"],
    [402, { error: { message: "Insufficient Balance" } }, "provider_error final"],
    [403, openai({}), "auth final"],
    [404, openai({ code: "model_not_found" }), "model_not_found final"],
    [408, {}, "provider_error retried"],
    [409, {}, "provider_error retried"],
    [413, {}, "context_overflow final"],
    [422, { detail: [{ msg: "field required" }] }, "provider_error final"],
    [429, openai({ code: "rate_limit_exceeded" }), "rate_limited retried"],
    [429, openai({ code: "insufficient_quota" }), "rate_limited final"],
    [500, {}, "provider_error retried"],
    [502, "<html>", "provider_error retried"],
    [503, {}, "provider_error retried"],
    [529, { type: "error", error: { type: "overloaded_error", message: "m" } }, "provider_error retried"],
    [
      undefined,
      { type: "error", error: { type: "overloaded_error", message: "m" } },
      "provider_error retried",
    ],
    [undefined, { type: "error", error: { type: "authentication_error", message: "m" } }, "auth final"],
    [
      undefined,
      { type: "response.failed", response: { error: { code: "server_error", message: "m" } } },
      "provider_error retried",
    ],
    [undefined, { message: "m", statusCode: 429, type: "RESOURCE_EXHAUSTED" }, "rate_limited retried"],
    [undefined, { error: { message: "m", code: 502 } }, "provider_error retried"],
  ])("%p %j: %s", (status, body, expected) => {
    expect(verdict(status, body)).toBe(expected);
  });
});

describe("the conversation doesn't fit", () => {
  test.each([
    ["OpenAI", 400, openai({ code: "context_length_exceeded" })],
    ["Responses, in the stream", undefined, { type: "error", code: "context_length_exceeded", message: "m" }],
    [
      "Anthropic",
      400,
      {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "prompt is too long: 210000 tokens > 200000 maximum",
        },
      },
    ],
    [
      "Anthropic with its answer",
      400,
      {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000",
        },
      },
    ],
    ["Anthropic in bytes", 413, { type: "error", error: { type: "request_too_large", message: "m" } }],
    [
      "Google",
      400,
      {
        error: {
          code: 400,
          status: "INVALID_ARGUMENT",
          message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        },
      },
    ],
    ["Groq", 400, openai({ code: "context_length_exceeded", param: "messages" })],
    [
      "DeepSeek",
      400,
      openai({
        message: "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens",
      }),
    ],
    [
      "OpenRouter",
      400,
      { error: { code: 400, message: "This endpoint's maximum context length is 131072 tokens." } },
    ],
    [
      "Mistral",
      400,
      {
        object: "error",
        message: "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        code: "3051",
      },
    ],
    [
      "xAI",
      400,
      {
        code: "Client specified an invalid argument",
        error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      },
    ],
    [
      "llama.cpp",
      400,
      { error: { code: 400, message: "m", type: "exceed_context_size_error", n_ctx: 4096 } },
    ],
    [
      "vLLM",
      400,
      {
        object: "error",
        message: "This model's maximum context length is 4096 tokens.",
        type: "BadRequestError",
        code: 400,
      },
    ],
  ])("%s", (_, status, body) => {
    expect(verdict(status, body)).toBe("context_overflow final");
  });

  test("the same words in an error about something else mean nothing", () => {
    expect(verdict(429, openai({ message: "prompt is too long" }))).toBe("rate_limited retried");
  });
});

test("a person reads what happened, what the vendor said, and what to do", () => {
  const { message } = statusFailure({ status: 401, message: "Incorrect API key provided" }, context);
  expect(message).toBe(
    'openai refused the key (401). It says: "Incorrect API key provided". Check OPENAI_API_KEY, or run `tunacode setup`.',
  );
});

test("a key that a vendor repeats is masked", () => {
  const failure = statusFailure({ status: 401, message: `Incorrect API key: ${KEY}.` }, context);
  expect(failure.message).toContain("***");
  expect(everything(failure)).not.toContain(KEY);
});

test("nothing of the SDK's error is kept: no headers, no body, no cause", () => {
  const thrown = Object.assign(new Error(`failed with ${KEY}`), {
    statusCode: 500,
    responseBody: `{"error":{"message":"key ${KEY}"}}`,
    requestBodyValues: { key: KEY },
    responseHeaders: { authorization: KEY },
  });
  const failure = toFailure(thrown, context);
  expect(failure.code).toBe("provider_error");
  expect(everything(failure)).not.toContain(KEY);
});

test("an error of ours inside the SDK's comes out unchanged", () => {
  const ours = new WireGateError(["messages[0]: wrong"]);
  expect(toFailure(new Error("wrapped", { cause: new Error("again", { cause: ours }) }), context)).toBe(ours);
});

test("a connection that breaks in the middle is a network failure", () => {
  const broken = new Error("Failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
  const failure = toFailure(broken, context) as ProviderError;
  expect([failure.code, failure.retryable]).toEqual(["provider_unreachable", true]);
});

test.each([
  ["ECONNRESET", "ECONNRESET: It was closed. For more, pass verbose", " broke: ECONNRESET: It was closed."],
  [
    "ECONNREFUSED",
    "ECONNREFUSED: Unable to connect. Is it on?",
    ": ECONNREFUSED: Unable to connect. Check the",
  ],
  ["ENOTFOUND", "getaddrinfo ENOTFOUND a.b.invalid", ": getaddrinfo ENOTFOUND a.b.invalid. Check the"],
])("%s is told in one sentence, without the SDK's words and the runtime's advice", (code, message, told) => {
  const cause = Object.assign(new Error(message), { code });
  const shown = toFailure(new Error("Failed to process successful response", { cause }), context).message;
  expect(shown).toContain(told);
  expect(shown).not.toMatch(/Failed to process|For more|Is it on/);
});

test("a stream that ends before its end can be tried again", () => {
  const failure = faultFailure({}, context) as ProviderError;
  expect([failure.code, failure.retryable]).toEqual(["provider_unreachable", true]);
});

test("Google says in the body how long to wait", () => {
  const body = {
    error: { code: 429, message: "m", status: "RESOURCE_EXHAUSTED", details: [{ retryDelay: "34.5s" }] },
  };
  expect(errorFields(body).retryDelayMs).toBe(34_500);
  expect(statusFailure(errorFields(body), context).retryAfterMs).toBe(34_500);
});

test("fields can be read from any value", () => {
  for (const value of [null, 3, "words", [], [{}], {}, { error: null }, { error: "words" }, { message: 3 }])
    expect(typeof errorFields(value).message).toBe("string");
});

function everything(error: Error): string {
  return `${error.stack} ${JSON.stringify(error)} ${Bun.inspect(error)} ${Bun.inspect(error.cause)}`;
}

test.each([
  [{ error: "model is loading" }, 'provider_error retried "model is loading"'],
  [{ response: { error: { code: "rate_limit_exceeded", message: "slow" } } }, 'rate_limited retried "slow"'],
  [{ jsonrpc: "2.0" }, "provider_error final undefined"],
])("a chunk the SDK refused: %j", (value, expected) => {
  const failure = faultFailure({ reported: Object.assign(new Error("refused"), { value }) }, context);
  const { code, message, retryable } = failure as ProviderError;
  const said = /says: (".*?")/.exec(message)?.[1];
  expect(`${code} ${retryable ? "retried" : "final"} ${said}`).toBe(expected);
});
