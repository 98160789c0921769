import { expect, test } from "bun:test";
import { sha256 } from "../base/digest.ts";
import { errorFieldsOfText } from "./error-fields.ts";
import { contentRefusal } from "./refusal.ts";

function named(status: number, error: object | string, body?: object): string {
  const text = JSON.stringify(typeof error === "string" ? { error: { message: error } } : { error });
  return (
    contentRefusal({ ...errorFieldsOfText(text), status }, body && JSON.stringify(body))?.join(" ") ?? "-"
  );
}

test.each([
  // Anthropic
  [400, "Could not process image", "image"],
  [
    400,
    "messages.7.content.2.image.source.base64.data: image exceeds 5 MB maximum: 5316852 bytes > 5242880 bytes",
    "image",
  ],
  [400, "messages.1.content.0: Invalid `signature` in `thinking` block", "thinking"],
  [
    400,
    "messages.129.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`.",
    "thinking",
  ],
  [
    400,
    "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01.",
    "tool",
  ],
  [
    400,
    "messages.5.content.2: Input tag 'compaction' found using 'type' does not match any of the expected tags",
    "",
  ],
  [400, "messages: text content blocks must be non-empty", ""],
  // OpenAI
  [
    400,
    {
      message: "The image data you provided does not represent a valid image.",
      param: "input",
      code: "invalid_value",
    },
    "image",
  ],
  [
    400,
    {
      message: "an unsupported image",
      code: "invalid_image_format",
    },
    "image",
  ],
  [
    400,
    {
      message: "Invalid value: 'other'. Supported values are: 'search'.",
      param: "input[44].action.type",
      code: "invalid_value",
    },
    "",
  ],
  [
    400,
    {
      message: "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
      param: "input",
    },
    "thinking",
  ],
  [
    400,
    { message: "The encrypted content gAAA could not be verified.", code: "invalid_encrypted_content" },
    "thinking",
  ],
  [
    400,
    {
      message: "Invalid prompt: flagged",
      code: "invalid_prompt",
    },
    "",
  ],
  [400, "'tool_calls' without an answer to each 'tool_call_id'", "tool"],
  // Google
  [400, { message: "Request contains an invalid argument.", status: "INVALID_ARGUMENT" }, ""],
  [
    400,
    {
      message: "Unable to process input image",
      status: "INVALID_ARGUMENT",
    },
    "image",
  ],
  [400, "function response parts: not as many as function call parts", "tool"],
  [400, "thought_signature missing in functionCall parts", "thinking tool"],
  [400, "Unsupported MIME type: image/gif", "image/gif"],
  [400, "Request payload size exceeds the limit: 20971520 bytes.", "image"],
  // OpenRouter, Mistral, DeepSeek, xAI
  [404, "No endpoints found that support image input", "image"],
  [
    400,
    {
      message: "Unexpected role 'user' after role 'tool'",
      type: "invalid_request_message_order",
      code: "3230",
    },
    "tool",
  ],
  [422, "messages[0]: unknown variant `image_url`, expected `text`", "image"],
  [400, "The `reasoning_content` in the thinking mode must be passed back to the API.", "thinking"],
  [
    400,
    { code: "Client specified an invalid argument", error: "Invalid arguments passed to the model." },
    "",
  ],
  // llama.cpp, vLLM, Ollama
  [500, "image input is not supported - hint: no mmproj", "image"],
  [500, 'Failed to parse messages: Unsupported content part type: "image_url"; messages = []', "image"],
  [400, "Qwen3-8B is not a multimodal model", "image"],
  [400, "Conversation roles must alternate user/assistant/user/assistant/...", ""],
  [400, "Output of tool call should be 'Input text'", "tool"],
  [400, "illegal base64 data at input byte 4", ""],
  [400, "cannot unmarshal array into ChatRequest.messages.content of type string", ""],
])("%d %j is about the content: %p", (status, error, expected) => {
  expect(named(status, error)).toBe(expected);
});

test.each([
  // The key and the account
  [401, "Incorrect API key provided"],
  [400, "API key not valid."],
  [400, "This organization has been disabled."],
  [403, "Your API key was reported as leaked."],
  [400, "User location is not supported for the API use."],
  // Credit
  [400, "Your credit balance is too low"],
  [400, "reached your API usage limits until 2026-12-01"],
  [402, "Insufficient Balance"],
  [429, { message: "You exceeded your current quota", code: "insufficient_quota" }],
  [400, { message: "Billing hard limit has been reached", code: "billing_hard_limit_reached" }],
  // The model
  [400, "foo/bar is not a valid model ID"],
  [
    400,
    {
      message: "The model `gemma-7b-it` has been decommissioned",
      code: "model_decommissioned",
    },
  ],
  [404, { message: "The model `x` does not exist", code: "model_not_found" }],
  [400, "invalid model: nothing-like-it"],
  [400, "deepseek-r1:latest does not support tools"],
  [400, "Function calling is not enabled for models/gemma-3-27b-it"],
  [400, "Developer instruction is not enabled for models/gemma-3-27b-it"],
  [404, "No endpoints found that support tool use."],
  // Parameters
  [
    400,
    {
      message: "Unsupported parameter: 'max_tokens'",
      param: "max_tokens",
      code: "unsupported_parameter",
    },
  ],
  [
    400,
    {
      message: "Unsupported value: 'temperature' does not support 0.16 with this model.",
      param: "temperature",
      code: "unsupported_value",
    },
  ],
  [
    400,
    {
      message: "Invalid value: 'brief'. Supported values are: 'concise', 'detailed', and 'auto'.",
      param: "reasoning.summary",
      code: "invalid_value",
    },
  ],
  [400, { detail: "Unsupported parameter: max_output_tokens" }],
  [
    400,
    "max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet",
  ],
  [400, "`temperature` may only be set to 1 when thinking is enabled."],
  [400, "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"],
  [400, "tools.3.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"],
  [
    400,
    {
      message: "Invalid 'tools[0].function.name': string does not match pattern.",
      param: "tools[0].function.name",
    },
  ],
  [
    400,
    {
      message: "Invalid schema for function 'x': schema must be of type object",
      param: "tools[0].parameters",
    },
  ],
  [400, "* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name."],
  [400, "maxOutputTokens value of 99999, supported range 1 to 8193"],
  [400, "Thinking level HIGH is not supported for this model."],
  [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  [400, "tool_choice: not with Thinking"],
  [422, { detail: [{ loc: ["body", "reasoning_effort"], msg: "Input should be 'low' or 'high'" }] }],
  // A failure of the vendor's own
  [500, "Internal server error"],
  [503, "The model is overloaded"],
])("%d %j is not", (status, error) => {
  expect(named(status, error)).toBe("-");
});

test("the piece at the place that is named is told apart from others", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const call = { type: "tool_use", id: "toolu_1", name: "bash", input: {} };
  const result = {
    type: "tool_result",
    tool_use_id: "toolu_2",
    content: [{ type: "text", text: "x" }, image],
  };
  const anthropic = { messages: [{ content: [image] }, { content: [call] }, { content: [result] }] };
  expect(named(400, "messages.0.content.0.image.source.base64.data: too big", anthropic)).toBe(
    sha256("AAAA"),
  );
  expect(named(400, "messages.1.content.0.tool_use.name: too long", anthropic)).toBe("toolu_1");
  expect(named(400, "messages.2.content.0: bad", anthropic)).toBe("toolu_2");
  expect(named(400, "messages.2.content.0.tool_result.content.1.image: bad", anthropic)).toBe(sha256("AAAA"));
  const url = { type: "image_url", image_url: { url: "data:image/png;base64,BBBB" } };
  const calls = [{ id: "call_1", type: "function", function: { name: "bash", arguments: "{}" } }];
  const chat = {
    messages: [{ content: [url] }, { tool_calls: calls }, { role: "tool", tool_call_id: "call_1" }],
  };
  expect(named(422, { detail: [{ loc: ["body", "messages", 0, "content", 0], msg: "no" }] }, chat)).toBe(
    sha256("BBBB"),
  );
  expect(named(400, "Invalid 'messages[1].tool_calls[0].function.name'", chat)).toBe("call_1");
  expect(named(400, "messages[2]: unexpected", chat)).toBe("call_1");
  const google = {
    contents: [{ parts: [{ inlineData: { data: "CCCC" } }, { functionCall: { name: "bash" } }] }],
  };
  expect(named(400, "contents[0].parts[0].inline_data: bad", google)).toBe(sha256("CCCC"));
  expect(named(400, "GenerateContentRequest.contents[0].parts[1].function_call.name: bad", google)).toBe(
    "bash",
  );
  const responses = { input: [{ type: "reasoning" }, { type: "function_call", call_id: "c" }] };
  expect(named(400, { message: "no", param: "input[0].id" }, responses)).toBe("thinking");
  expect(named(400, { message: "no", param: "input[1].name" }, responses)).toBe("c");
});
