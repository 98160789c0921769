// Generators for fast-check: valid messages of every shape, and JSON that is almost a message.
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/base/json.ts";
import type { Content } from "../../src/domain/content.ts";
import type { Message, Request, Response } from "../../src/domain/message.ts";
import type { RequestPart, ResponsePart } from "../../src/domain/part.ts";

export const json: fc.Arbitrary<JsonValue> = asFromFile<JsonValue>(fc.jsonValue({ maxDepth: 3 }));

const jsonObject: fc.Arbitrary<JsonObject> = fc.dictionary(fc.string(), json, { maxKeys: 3 });
const extra = fc.dictionary(
  fc.constantFrom("instructions", "metadata", "id", "vendor_key", "__proto__", "constructor"),
  json,
  { minKeys: 1, maxKeys: 2 },
);
const word = fc.string({ minLength: 1, maxLength: 12 });
const timestamp = fc.constantFrom("2026-01-31T21:04:30.100000Z", "2026-01-31T21:06:48.003211+00:00");
const image = fc.record(
  {
    type: fc.constant("image" as const),
    mediaType: fc.constantFrom("image/png", "image/jpeg"),
    data: fc.uint8Array({ maxLength: 16 }).map((bytes) => bytes.toBase64()),
    extra: fc.constant<JsonObject>({ identifier: "abc123" }),
  },
  { requiredKeys: ["type", "mediaType", "data"] },
);
const content: fc.Arbitrary<Content> = fc.oneof(
  fc.string(),
  fc.array(fc.oneof(image, fc.record({ type: fc.constant("text" as const), text: fc.string() })), {
    maxLength: 3,
  }),
  // Other values would be decoded as text or as a list of items.
  fc
    .oneof(jsonObject, fc.integer(), fc.boolean(), fc.constant([1]))
    .map((value) => [{ type: "json" as const, value }]),
);
const unknownPart = fc
  .tuple(jsonObject, fc.constantFrom("file", "builtin-tool-call", "constructor"))
  .map(([keys, part_kind]) => ({ kind: "unknown" as const, raw: { ...keys, part_kind } }));

const requestPart: fc.Arbitrary<RequestPart> = fc.oneof(
  fc.record(
    { kind: fc.constant("user-prompt" as const), content, timestamp, extra },
    { requiredKeys: ["kind", "content"] },
  ),
  fc.record(
    {
      kind: fc.constant("tool-return" as const),
      toolCallId: word,
      toolName: word,
      content,
      status: fc.constantFrom("completed", "failed", "cancelled"),
      timestamp,
      extra,
    },
    { requiredKeys: ["kind", "toolCallId", "toolName", "content"] },
  ),
  fc.record(
    {
      kind: fc.constant("retry-prompt" as const),
      content: fc.oneof(fc.string(), fc.array(json, { maxLength: 2 })),
      toolCallId: word,
      toolName: word,
      timestamp,
      extra,
    },
    { requiredKeys: ["kind", "content"] },
  ),
  unknownPart,
);

const call = { kind: fc.constant("tool-call" as const), toolCallId: word, toolName: word };
const responsePart: fc.Arbitrary<ResponsePart> = fc.oneof(
  fc.record(
    { kind: fc.constant("text" as const), content: fc.string(), providerDetails: jsonObject, extra },
    { requiredKeys: ["kind", "content"] },
  ),
  fc.record(
    {
      kind: fc.constant("thinking" as const),
      content: fc.string(),
      signature: word,
      providerName: word,
      providerDetails: jsonObject,
      extra,
    },
    { requiredKeys: ["kind", "content"] },
  ),
  fc.record(
    { ...call, args: jsonObject, providerDetails: jsonObject, extra },
    { requiredKeys: ["kind", "toolCallId", "toolName", "args"] },
  ),
  fc.record({
    ...call,
    args: fc.constant<JsonObject>({}),
    rawArgs: fc.oneof(fc.constantFrom<JsonValue>("{", "[1]", "null", '"{}"', 5, true), fc.array(json)),
  }),
  unknownPart,
);

const count = fc.nat();
const request: fc.Arbitrary<Request> = fc.record(
  {
    kind: fc.constant("request" as const),
    parts: fc.array(requestPart, { minLength: 1, maxLength: 4 }),
    timestamp,
    runId: word,
    extra,
  },
  { requiredKeys: ["kind", "parts"] },
);
const response: fc.Arbitrary<Response> = fc.record(
  {
    kind: fc.constant("response" as const),
    parts: fc.array(responsePart, { minLength: 1, maxLength: 4 }),
    modelName: word,
    providerName: word,
    usage: fc.record({ requestTokens: count, responseTokens: count, cachedTokens: count }),
    finishReason: fc.constantFrom("stop", "length", "tool-call", "content-filter", "error", "other"),
    timestamp,
    runId: word,
    extra,
  },
  { requiredKeys: ["kind", "parts"] },
);

/** Each message is valid on its own, but together they need not be a valid history. */
export const messages: fc.Arbitrary<Message[]> = asFromFile<Message[]>(
  fc.array(fc.oneof(request, response), { maxLength: 6 }),
);

const KEYS = ["kind", "parts", "role", "content", "thought", "usage", "run_id", "timestamp", "finish_reason"];
const PART_KEYS = [
  "content",
  "tool_name",
  "tool_call_id",
  "args",
  "raw_args",
  "status",
  "signature",
  "timestamp",
];
const PART_KINDS = [
  "text",
  "thinking",
  "tool-call",
  "tool-return",
  "retry-prompt",
  "user-prompt",
  "system-prompt",
];

const anything = fc.oneof(
  json,
  fc.constantFrom("request", "response", "assistant", "user", "system", "", "{}"),
);
const almostPart = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...PART_KEYS), anything),
    fc.oneof(fc.constantFrom(...PART_KINDS), json),
  )
  .map(([keys, part_kind]): JsonValue => ({ ...keys, part_kind }));
const almostMessage = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...KEYS), anything, { maxKeys: 4 }),
    fc.array(fc.oneof({ weight: 4, arbitrary: almostPart }, { weight: 1, arbitrary: json }), {
      maxLength: 4,
    }),
    fc.constantFrom("request", "response"),
    fc.boolean(),
  )
  .map(([keys, parts, kind, whole]): JsonValue => (whole ? { ...keys, kind, parts } : keys));

/** Objects with the right keys and arbitrary values, mixed with garbage. */
export const almostMessages: fc.Arbitrary<JsonValue> = asFromFile<JsonValue>(
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.array(fc.oneof({ weight: 5, arbitrary: almostMessage }, { weight: 1, arbitrary: json })),
    },
    { weight: 1, arbitrary: json },
  ),
);

/** Turns a value into what JSON.parse would return: plain objects, no negative zero. */
function asFromFile<Value>(arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<Value> {
  return arbitrary.map((value) => JSON.parse(JSON.stringify(value)) as Value);
}
