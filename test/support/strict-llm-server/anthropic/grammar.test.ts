import type { JsonObject, JsonValue } from "../../../../src/base/json.ts";
import { expectRefusals } from "../expect-refusal.ts";
import { seal } from "../seal.ts";
import { GIF, PNG } from "../valid-bodies/conversation.ts";

const MARK = { type: "ephemeral" };
const SCHEMA = { type: "object", properties: { a: { type: "string" } } };
const user = (...content: JsonValue[]): JsonObject => ({ role: "user", content });
const model = (...content: JsonValue[]): JsonObject => ({ role: "assistant", content });
const says = (text: string, more: JsonObject = {}): JsonObject => ({ type: "text", text, ...more });
const use = (more: JsonObject = {}): JsonObject => ({
  type: "tool_use",
  id: "t",
  name: "bash",
  input: {},
  ...more,
});
const result = (more: JsonObject = {}): JsonObject => ({
  type: "tool_result",
  tool_use_id: "t",
  content: "ok",
  ...more,
});
const think = (thinking: string, signature: JsonValue = seal("anthropic", thinking)): JsonObject => ({
  type: "thinking",
  thinking,
  signature,
});
const messages = (...list: JsonObject[]): JsonObject => ({ messages: list });
const loop = (...content: JsonValue[]) => messages(user(says("go")), model(...content), user(result()));
const image = (media_type: string, data: string) =>
  messages(user({ type: "image", source: { type: "base64", media_type, data } }));
const tool = (more: JsonObject): JsonObject => ({ tools: [{ name: "bash", input_schema: SCHEMA, ...more }] });
const BUDGET = { thinking: { type: "enabled", budget_tokens: 1024 } };

expectRefusals(
  "anthropic",
  {
    model: "claude-sonnet-4-5",
    max_tokens: 2000,
    tools: [{ name: "bash", input_schema: SCHEMA }],
    messages: [user(says("go"))],
  },
  [
    {
      refuses: "a missing max_tokens",
      with: { max_tokens: null },
      says: "max_tokens: Input should be a valid integer",
    },
    { refuses: "a key it doesn't know", with: { seed: 1 }, says: "seed: Extra inputs are not permitted" },
    { refuses: "no messages", with: messages(), says: "at least one message is required" },
    {
      refuses: "a system message",
      with: messages({ role: "system", content: "x" }),
      says: 'Unexpected role "system"',
    },
    {
      refuses: "a first message by the model",
      with: messages(model(says("x")), user(says("y"))),
      says: "first message must use",
    },
    { refuses: "empty content", with: messages(user()), says: "must have non-empty content" },
    {
      refuses: "an empty text",
      with: messages(user(says(""))),
      says: "text content blocks must be non-empty",
    },
    { refuses: "a blank text", with: messages(user(says(" \n"))), says: "must contain non-whitespace text" },
    { refuses: "a blank system block", with: { system: [says("")] }, says: "system: text content blocks" },
    {
      refuses: "trailing whitespace",
      with: messages(user(says("a")), model(says("b "))),
      says: "trailing whitespace",
    },
    {
      refuses: "an answer begun for a model that takes none",
      with: { model: "claude-opus-4-6", ...messages(user(says("a")), model(says("b"))) },
      says: "does not support assistant message prefill",
    },
    {
      refuses: "an id with other characters",
      with: messages(user(says("a")), model(use({ id: "a.b" })), user(result({ tool_use_id: "a.b" }))),
      says: "messages.1.content.0.tool_use.id: String should match pattern",
    },
    {
      refuses: "input that is no object",
      with: loop(use({ input: "{}" })),
      says: "tool_use.input: Input should be a valid dictionary",
    },
    {
      refuses: "a bad name in a call",
      with: loop(use({ name: "a b" })),
      says: "tool_use.name: String should match",
    },
    {
      refuses: "text before results",
      with: messages(user(says("a")), model(use()), user(says("b"), result())),
      says: "`tool_use` ids were found without `tool_result` blocks immediately after: t",
    },
    { refuses: "a call in a user message", with: messages(user(use())), says: "Input tag 'tool_use'" },
    {
      refuses: "an image by the model",
      with: messages(user(says("a")), model({ type: "image", source: {} })),
      says: "Input tag 'image'",
    },
    { refuses: "tool blocks without tools", with: { tools: [], ...loop(use()) }, says: "must define tools" },
    {
      refuses: "an error without words",
      with: messages(user(says("a")), model(use()), user(result({ content: "", is_error: true }))),
      says: "content cannot be empty if `is_error`",
    },
    {
      refuses: "an empty text in a result",
      with: messages(user(says("a")), model(use()), user(result({ content: [says("")] }))),
      says: "text content blocks must be non-empty",
    },
    {
      refuses: "a thought without signature",
      with: loop({ type: "thinking", thinking: "x" }, use()),
      says: "thinking.signature: Field required",
    },
    {
      refuses: "a thought of another vendor",
      with: loop(think("x", "rs_0123"), use()),
      says: "messages.1.content.0: Invalid `signature` in `thinking` block",
    },
    {
      refuses: "a changed thought",
      with: loop(think("y", seal("anthropic", "x")), use()),
      says: "cannot be modified",
    },
    {
      refuses: "invented redacted thinking",
      with: loop({ type: "redacted_thinking", data: "eA==" }, use()),
      says: "Invalid `data`",
    },
    {
      refuses: "a cache mark on a thought",
      with: loop({ ...think("x"), cache_control: MARK }, use()),
      says: "thinking.cache_control: Extra inputs",
    },
    {
      refuses: "a thought at the end",
      with: messages(user(says("a")), model(think("x")), user(says("b"))),
      says: "The final block in an assistant message cannot be `thinking`",
    },
    {
      refuses: "a tool loop that lost its thinking",
      with: { ...BUDGET, ...loop(use()) },
      says: "Expected `thinking` or `redacted_thinking`, but found `tool_use`",
    },
    {
      refuses: "a small thinking budget",
      with: { thinking: { type: "enabled", budget_tokens: 5 } },
      says: "greater than or equal to 1024",
    },
    {
      refuses: "a budget above max_tokens",
      with: { ...BUDGET, max_tokens: 1000 },
      says: "`max_tokens` must be greater than",
    },
    {
      refuses: "a forced tool while thinking",
      with: { ...BUDGET, tool_choice: { type: "any" } },
      says: "forces tool use",
    },
    {
      refuses: "temperature while thinking",
      with: { ...BUDGET, temperature: 0.5 },
      says: "`temperature` may only be set to 1",
    },
    {
      refuses: "five cache marks",
      with: {
        cache_control: MARK,
        ...messages(user(...["a", "b", "c", "d"].map((text) => says(text, { cache_control: MARK })))),
      },
      says: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    },
    {
      refuses: "a cache mark on nothing",
      with: messages(user(says("", { cache_control: MARK }))),
      says: "cache_control cannot be set for empty text blocks",
    },
    {
      refuses: "a long-lived mark after a short-lived one",
      with: messages(
        user(says("a", { cache_control: MARK }), says("b", { cache_control: { ...MARK, ttl: "1h" } })),
      ),
      says: "must not come after a ttl='5m'",
    },
    { refuses: "an unknown image type", with: image("image/bmp", PNG), says: "media_type: Input should be" },
    { refuses: "broken base64", with: image("image/png", "*"), says: "Invalid base64 data" },
    {
      refuses: "an image that is another",
      with: image("image/png", GIF),
      says: "appears to be a image/gif image",
    },
    { refuses: "what is no image", with: image("image/png", "aGVsbG8="), says: "Could not process image" },
    {
      refuses: "a bad tool name",
      with: tool({ name: "a.b" }),
      says: "tools.0.custom.name: String should match",
    },
    {
      refuses: "a tool without schema",
      with: { tools: [{ name: "bash" }] },
      says: "tools.0.custom.input_schema: Field required",
    },
    {
      refuses: "a schema that is no object",
      with: tool({ input_schema: { type: "array" } }),
      says: "Input should be 'object'",
    },
    {
      refuses: "anyOf at the top",
      with: tool({ input_schema: { ...SCHEMA, anyOf: [] } }),
      says: "does not support oneOf, allOf, or anyOf",
    },
    {
      refuses: "a tool twice",
      with: { tools: [1, 2].map(() => ({ name: "bash", input_schema: SCHEMA })) },
      says: "Tool names must be unique",
    },
    {
      refuses: "a choice without tools",
      with: { tools: [], tool_choice: { type: "auto" } },
      says: "only be specified while providing tools",
    },
    {
      refuses: "half a character",
      with: messages(user(says("\ud83d"))),
      says: "not valid JSON: no low surrogate",
    },
  ],
);
