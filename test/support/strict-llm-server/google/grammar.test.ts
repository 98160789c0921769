import { expect, test } from "bun:test";
import type { JsonObject } from "../../../../src/base/json.ts";
import { expectRefusals } from "../expect-refusal.ts";
import { judge } from "../judge.ts";
import { seal } from "../seal.ts";
import { PNG } from "../valid-bodies/conversation.ts";

const SIGNATURE = seal("google", "x");
const contents = (...list: JsonObject[]): JsonObject => ({ contents: list });
const user = (...parts: JsonObject[]): JsonObject => ({ role: "user", parts });
const model = (...parts: JsonObject[]): JsonObject => ({ role: "model", parts });
const GO = user({ text: "go" });
const called = (more: JsonObject = {}, target: JsonObject = {}) => [
  model({ functionCall: { name: "bash", args: {}, ...target }, thoughtSignature: SIGNATURE, ...more }),
  user({ functionResponse: { name: "bash", response: {} } }),
];
const call = (more?: JsonObject, target?: JsonObject) => contents(GO, ...called(more, target));
const response = (more: JsonObject) =>
  contents(
    GO,
    model({ functionCall: { name: "bash" }, thoughtSignature: SIGNATURE }),
    user({ functionResponse: { name: "bash", response: {}, ...more } }),
  );
const declared = (...list: JsonObject[]): JsonObject => ({ tools: [{ functionDeclarations: list }] });
const schema = (properties: JsonObject, more: JsonObject = {}) =>
  declared({ name: "bash", parameters: { type: "object", properties, ...more } });
const image = (mimeType: string, data: string) => contents(user({ inlineData: { mimeType, data } }));

expectRefusals("google", call(), [
  { refuses: "no contents", with: contents(), says: "contents is not specified" },
  {
    refuses: "a name it doesn't know",
    with: { model: "x" },
    says: 'Unknown name "model": Cannot find field.',
  },
  {
    refuses: "a name it doesn't know in a part",
    with: contents(user({ text: "a", type: "text" })),
    says: `Unknown name "type" at 'contents[0].parts[0]'`,
  },
  {
    refuses: "another role",
    with: contents({ role: "assistant", parts: [{ text: "a" }] }),
    says: "Please use a valid role: user, model.",
  },
  { refuses: "no parts", with: contents(user()), says: "contents.parts must not be empty" },
  {
    refuses: "an empty part",
    with: contents(user({})),
    says: "required oneof field 'data' must have one initialized field",
  },
  {
    refuses: "an empty text",
    with: contents(user({ text: "" })),
    says: "GenerateContentRequest.contents[0].parts[0].data",
  },
  {
    refuses: "two things in a part",
    with: contents(user({ text: "a", functionCall: { name: "bash" } })),
    says: "oneof field 'data' is already set",
  },
  {
    refuses: "an empty system text",
    with: { systemInstruction: { parts: [{ text: "" }] } },
    says: "system_instruction.parts[0].data",
  },
  {
    refuses: "the model's words alone",
    with: contents(model({ text: "a" })),
    says: "single turn requests end with a user role",
  },
  {
    refuses: "the model's words at the end",
    with: contents(GO, model({ text: "a" })),
    says: "end with a user role or a function response",
  },
  {
    refuses: "arguments as text",
    with: call({}, { args: "{}" }),
    says: "function_call.args' (type.googleapis.com/google.protobuf.Struct)",
  },
  {
    refuses: "a call without name",
    with: call({}, { name: "" }),
    says: "function_call.name: Name cannot be empty.",
  },
  {
    refuses: "a response as text",
    with: response({ response: "ok" }),
    says: "function_response.response' (type.googleapis.com/google.protobuf.Struct)",
  },
  {
    refuses: "a response by another name",
    with: response({ name: "grep" }),
    says: "function response names match",
  },
  {
    refuses: "another vendor's signature",
    with: call({ thoughtSignature: seal("anthropic", "x") }),
    says: "Corrupted thought signature.",
  },
  {
    refuses: "a signature that is no base64",
    with: call({ thoughtSignature: "a b" }),
    says: "Base64 decoding failed",
  },
  {
    refuses: "a call after the model's words",
    with: contents(GO, model({ text: "a" }), ...called()),
    says: "function call turn comes immediately after a user turn",
  },
  {
    refuses: "an image of unknown type",
    with: image("image/bmp", PNG),
    says: "Unsupported MIME type: image/bmp",
  },
  { refuses: "broken base64", with: image("image/png", "*"), says: "Base64 decoding failed" },
  {
    refuses: "what is no image",
    with: image("image/png", "aGVsbG8="),
    says: "Unable to process input image",
  },
  { refuses: "a function's name", with: declared({ name: "1x" }), says: "Invalid function name" },
  {
    refuses: "a function twice",
    with: declared({ name: "a" }, { name: "a" }),
    says: "Duplicate function declaration found: a",
  },
  {
    refuses: "JSON Schema where its own dialect is due",
    with: schema({ a: { type: "string", const: "x" } }),
    says: `Unknown name "const" at 'tools[0].function_declarations[0].parameters.properties[a]'`,
  },
  { refuses: "an object without properties", with: schema({}), says: "should be non-empty for OBJECT type" },
  { refuses: "a list without items", with: schema({ a: { type: "array" } }), says: "items: missing field" },
  {
    refuses: "numbers to choose from",
    with: schema({ a: { type: "integer", enum: ["1"] } }),
    says: "only allowed for STRING type",
  },
  {
    refuses: "two measures of thinking",
    with: { generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: "low" } } },
    says: "only one of thinking budget",
  },
]);

test("only Gemini 3 and later want the signature, and only in the running turn", () => {
  const turn = [
    GO,
    model({ functionCall: { name: "bash" } }),
    user({ functionResponse: { name: "bash", response: {} } }),
  ];
  const running = { contents: turn };
  const past = { contents: [...turn, model({ text: "done" }), GO] };
  expect(judge("google", running, "gemini-3-pro")[0]?.message).toContain("missing a thought_signature");
  expect(judge("google", running, "gemini-2.5-pro")).toEqual([]);
  expect(judge("google", past, "gemini-3-pro")).toEqual([]);
});
