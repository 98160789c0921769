import { expect, test } from "bun:test";
import type { JsonObject } from "../../../../src/base/json.ts";
import { expectRefusals } from "../expect-refusal.ts";
import { noIssuedItems } from "../issued-items.ts";
import { judge } from "../judge.ts";
import { encryptedFor } from "./encrypted-content.ts";

const USER = { role: "user", content: "go" };
const CALL = { type: "function_call", call_id: "c", name: "bash", arguments: "{}" };
const OUTPUT = { type: "function_call_output", call_id: "c", output: "ok" };
const REASONING = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: encryptedFor("rs_1") };
const input = (...items: JsonObject[]): JsonObject => ({ input: items });
const thinking = (more: JsonObject) => input(USER, { ...REASONING, ...more }, CALL, OUTPUT);
const tool = (more: JsonObject): JsonObject => ({ tools: [{ type: "function", name: "bash", ...more }] });

expectRefusals("openai-responses", { model: "gpt-5.1", store: false, ...thinking({}) }, [
  { refuses: "no input", with: { input: [] }, says: "must be provided" },
  { refuses: "a key it doesn't know", with: { messages: [] }, says: "Unknown parameter: 'messages'." },
  {
    refuses: "a key it doesn't know in an item",
    with: input({ ...USER, name: "x" }),
    says: "Unknown parameter: 'input[0].name'.",
  },
  { refuses: "an unknown item", with: input({ type: "tool_call" }), says: "Invalid value: 'tool_call'" },
  { refuses: "a blank type", with: input({ ...USER, type: "" }), says: "Invalid value: ''" },
  { refuses: "a tool message", with: input({ role: "tool", content: "x" }), says: "Invalid value: 'tool'" },
  {
    refuses: "input_text by the model",
    with: input({ role: "assistant", content: [{ type: "input_text", text: "x" }] }),
    says: "Supported values are: 'output_text', 'refusal'",
  },
  {
    refuses: "a message id of another kind",
    with: input({ ...USER, id: "fc_1" }),
    says: "Expected an ID that begins with 'msg'",
  },
  {
    refuses: "a call id of another kind",
    with: input(USER, { ...CALL, id: "call_1" }, OUTPUT),
    says: "Expected an ID that begins with 'fc'",
  },
  {
    refuses: "an item id with other characters",
    with: thinking({ id: "rs 1" }),
    says: "contained additional characters",
  },
  {
    refuses: "a call_id over 64 characters",
    with: input(USER, { ...CALL, call_id: "c".repeat(65) }, { ...OUTPUT, call_id: "c".repeat(65) }),
    says: "Invalid 'input[1].call_id': string too long",
  },
  {
    refuses: "arguments as an object",
    with: input(USER, { ...CALL, arguments: {} }, OUTPUT),
    says: "expected a string, but got an object",
  },
  {
    refuses: "an output that is missing",
    with: input(USER, CALL, { type: "function_call_output", call_id: "c" }),
    says: "Missing required parameter: 'input[2].output'",
  },
  {
    refuses: "reasoning without summary",
    with: input(USER, { type: "reasoning", encrypted_content: encryptedFor("x") }, CALL, OUTPUT),
    says: "'input[1].summary'",
  },
  {
    refuses: "encrypted content it never made",
    with: thinking({ encrypted_content: "gAAAAAxyz" }),
    says: "The encrypted content gAAA...Axyz could not be verified",
  },
  {
    refuses: "encrypted content of another item",
    with: thinking({ id: "rs_2" }),
    says: "item_id did not match",
  },
  {
    refuses: "reasoning it does not keep",
    with: input(USER, { type: "reasoning", id: "rs_1", summary: [] }, CALL, OUTPUT),
    says: "Item with id 'rs_1' not found",
  },
  {
    refuses: "a reference to what it does not keep",
    with: input({ type: "item_reference", id: "msg_1" }),
    says: "Item with id 'msg_1' not found",
  },
  {
    refuses: "reasoning with nothing behind it",
    with: input(USER, REASONING),
    says: "was provided without its required following item",
  },
  {
    refuses: "reasoning before a person's words",
    with: input(REASONING, USER),
    says: "was provided without its required following item",
  },
  {
    refuses: "an item twice",
    with: input(USER, REASONING, REASONING, CALL, OUTPUT),
    says: "Duplicate item found with id rs_1",
  },
  { refuses: "few output tokens", with: { max_output_tokens: 5 }, says: "Expected a value >= 16" },
  { refuses: "an include it doesn't know", with: { include: ["x"] }, says: "Invalid value: 'x'" },
  {
    refuses: "a nested function",
    with: { tools: [{ type: "function", function: { name: "bash" } }] },
    says: "'tools[0].name'",
  },
  {
    refuses: "a schema that is no object",
    with: tool({ parameters: { type: "string" } }),
    says: `got 'type: "string"'`,
  },
  {
    refuses: "a choice without tools",
    with: { tool_choice: "auto" },
    says: "'tool_choice' is only allowed when 'tools' are specified",
  },
  {
    refuses: "a response it does not know",
    with: { previous_response_id: "resp_1" },
    says: "Previous response with id 'resp_1' not found",
  },
]);

test("an item that was written after reasoning is refused without it", () => {
  const issued = noIssuedItems();
  issued.reasoningOf.set("fc_1", "rs_1");
  const body = { model: "gpt-5.1", input: [USER, { ...CALL, id: "fc_1" }, OUTPUT] };
  expect(judge("openai-responses", body, "gpt-5.1", issued)[0]?.message).toContain(
    "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.",
  );
  const whole = { ...body, input: [USER, REASONING, { ...CALL, id: "fc_1" }, OUTPUT] };
  expect(judge("openai-responses", whole, "gpt-5.1", issued)).toEqual([]);
});
