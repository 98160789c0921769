import { expect, test } from "bun:test";
import type { JsonObject, JsonValue } from "../../../../src/base/json.ts";
import { expectRefusals } from "../expect-refusal.ts";
import { noIssuedItems } from "../issued-items.ts";
import { judge } from "../judge.ts";

const USER = { role: "user", content: "go" };
const messages = (...list: JsonObject[]): JsonObject => ({ messages: list });
const call = (more: JsonObject = {}, target: JsonObject = {}): JsonObject => ({
  id: "c",
  type: "function",
  function: { name: "bash", arguments: "{}", ...target },
  ...more,
});
const loop = (entry: JsonObject, result: JsonObject = {}) =>
  messages(
    USER,
    { role: "assistant", content: null, tool_calls: [entry] },
    { role: "tool", tool_call_id: "c", content: "ok", ...result },
  );
const tool = (target: JsonObject): JsonObject => ({
  tools: [{ type: "function", function: { name: "bash", ...target } }],
});
const schema = (more: JsonObject, isStrict = false) =>
  tool({ parameters: { type: "object", properties: {}, ...more }, strict: isStrict });
const parts = (...content: JsonValue[]) => messages({ role: "user", content });
const LONG = "c".repeat(41);

expectRefusals("openai-chat", { model: "gpt-4.1", messages: [USER], ...schema({}) }, [
  { refuses: "no model", with: { model: "" }, says: "you must provide a model parameter" },
  { refuses: "no messages", with: messages(), says: "Invalid 'messages': empty array" },
  { refuses: "a key it doesn't know", with: { top_k: 1 }, says: "Unknown parameter: 'top_k'." },
  {
    refuses: "an unknown role",
    with: messages({ role: "model", content: "x" }),
    says: "Invalid value: 'model'",
  },
  {
    refuses: "null from a person",
    with: messages({ role: "user", content: null }),
    says: "expected a string, got null",
  },
  {
    refuses: "null from the model without calls",
    with: messages(USER, { role: "assistant", content: null }),
    says: "expected a string, got null",
  },
  {
    refuses: "missing content",
    with: messages({ role: "user" }),
    says: "Missing required parameter: 'messages[0].content'.",
  },
  { refuses: "an empty list of parts", with: parts(), says: "Invalid 'messages[0].content': empty array" },
  {
    refuses: "an empty list of calls",
    with: messages(USER, { role: "assistant", content: "a", tool_calls: [] }),
    says: "Invalid 'messages[1].tool_calls': empty array",
  },
  {
    refuses: "an id over 40 characters",
    with: loop(call({ id: LONG }), { tool_call_id: LONG }),
    says: "Expected a string with maximum length 40, but got a string with length 41",
  },
  {
    refuses: "an empty id",
    with: loop(call({ id: "" }), { tool_call_id: "" }),
    says: "Invalid 'messages[1].tool_calls[0].id': empty string",
  },
  {
    refuses: "a call without type",
    with: loop({ id: "c", function: { name: "bash", arguments: "" } }),
    says: "'messages[1].tool_calls[0].type'",
  },
  {
    refuses: "arguments as an object",
    with: loop(call({}, { arguments: {} })),
    says: "expected a string, but got an object instead",
  },
  {
    refuses: "a name with other characters",
    with: loop(call({}, { name: "a.b" })),
    says: "matches the pattern '^[a-zA-Z0-9_-]+$'",
  },
  {
    refuses: "a name over 64 characters",
    with: loop(call({}, { name: "n".repeat(65) })),
    says: "maximum length 64",
  },
  {
    refuses: "a return without content",
    with: loop(call(), { content: null }),
    says: "expected a string, got null",
  },
  {
    refuses: "an image in a return",
    with: loop(call(), { content: [{ type: "image_url", image_url: { url: "https://x" } }] }),
    says: "Image URLs are only allowed for messages with role 'user'",
  },
  {
    refuses: "reasoning given to OpenAI",
    with: messages(USER, { role: "assistant", content: "a", reasoning_content: "b" }, USER),
    says: "Unknown parameter: 'messages[1].reasoning_content'",
  },
  {
    refuses: "broken base64",
    with: parts({ type: "image_url", image_url: { url: "data:image/png;base64,*" } }),
    says: "Invalid base64 image_url",
  },
  {
    refuses: "what is no image",
    with: parts({ type: "image_url", image_url: { url: "data:image/png;base64,aGVsbG8=" } }),
    says: "unsupported image",
  },
  {
    refuses: "an unknown part",
    with: parts({ type: "input_text", text: "x" }),
    says: "Invalid value: 'input_text'",
  },
  { refuses: "an empty list of tools", with: { tools: [] }, says: "Invalid 'tools': empty array" },
  {
    refuses: "a schema without type",
    with: tool({ parameters: {} }),
    says: `schema must be a JSON Schema of 'type: "object"', got 'type: "None"'`,
  },
  {
    refuses: "an object without properties",
    with: tool({ parameters: { type: "object" } }),
    says: "In context=(), object schema missing properties",
  },
  {
    refuses: "a list without items",
    with: schema({ properties: { a: { type: "array" } } }),
    says: "In context=('properties', 'a'), array schema missing items",
  },
  {
    refuses: "a strict schema that is open",
    with: schema({ properties: {} }, true),
    says: "'additionalProperties' is required",
  },
  {
    refuses: "a strict schema with something optional",
    with: schema({ properties: { a: {} }, additionalProperties: false }, true),
    says: "Missing 'a'",
  },
  {
    refuses: "a forced function that isn't there",
    with: { tool_choice: { type: "function", function: { name: "x" } } },
    says: "Tool choice 'x' not found",
  },
  {
    refuses: "stream options without a stream",
    with: { stream_options: {} },
    says: "only allowed when 'stream' is enabled",
  },
  {
    refuses: "max_tokens for a reasoning model",
    with: { model: "o3", max_tokens: 5 },
    says: "Use 'max_completion_tokens' instead",
  },
  {
    refuses: "a temperature for a reasoning model",
    with: { model: "gpt-5", temperature: 0 },
    says: "does not support 0 with this model",
  },
]);

test("a DeepSeek model wants its reasoning back with the calls of the running loop", () => {
  const issued = noIssuedItems();
  issued.reasonedCalls.add("c");
  const body = (more: JsonObject) => ({
    model: "deepseek-reasoner",
    messages: [
      USER,
      { role: "assistant", content: null, tool_calls: [call()], ...more },
      { role: "tool", tool_call_id: "c", content: "ok" },
    ],
  });
  expect(judge("openai-chat", body({}), "deepseek-reasoner", issued)[0]?.message).toContain(
    "Missing `reasoning_content`",
  );
  expect(judge("openai-chat", body({ reasoning_content: "hm" }), "deepseek-reasoner", issued)).toEqual([]);
});
