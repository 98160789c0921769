import { expect, test } from "bun:test";
import fc from "fast-check";
import { almostMessages } from "../../test/support/arbitrary-messages.ts";
import { isJsonObject, type JsonValue } from "../base/json.ts";
import type { Message } from "../domain/message.ts";
import { decodeMessages, encodeMessages } from "./wire.ts";
import { decodePlainMessage } from "./wire-plain.ts";

/** The long way: a key that nobody knows keeps a message from being plain. */
function decodedAtLength(raw: JsonValue): Message[] {
  const unusual = isJsonObject(raw) ? { ...raw, "not plain": true } : raw;
  return decodeMessages([unusual]).messages.map(({ extra = {}, ...message }) => {
    const { "not plain": _, ...rest } = extra;
    return Object.keys(rest).length === 0 ? message : { ...message, extra: rest };
  });
}

function decodedBothWays(raws: readonly JsonValue[]): number {
  let plain = 0;
  for (const raw of raws) {
    const message = decodePlainMessage(raw, new Map());
    if (message === undefined) continue;
    expect(decodedAtLength(raw)).toEqual([message]);
    plain++;
  }
  return plain;
}

const words = fc.constantFrom("", "a", "b c");
const seldomOdd = (usual: fc.Arbitrary<JsonValue>) =>
  fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(null, 7, [], {}) });
type Keys = Record<string, fc.Arbitrary<JsonValue>>;

/** Objects with these keys, the optional ones now and then, and now and then an odd value. */
function objects(keys: Keys, optional: Keys): fc.Arbitrary<JsonValue> {
  const usual = Object.entries({ ...keys, ...optional });
  const model: Keys = Object.fromEntries(usual.map(([key, value]) => [key, seldomOdd(value)]));
  return fc.record(model, { requiredKeys: Object.keys(keys) });
}

const named = { tool_call_id: words, tool_name: words };
const dated = { timestamp: words };
const kind = (part_kind: string) => ({ part_kind: fc.constant(part_kind) });
const status = fc.constantFrom("completed", "failed", "cancelled", "odd");
const args = fc.constantFrom<JsonValue>({}, { a: 1 }, { a: { b: 1 } }, "{}");
const usage = fc.constantFrom<JsonValue>(
  { input_tokens: 1, output_tokens: 2, cache_read_tokens: 3 },
  { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0.5 },
  { request_tokens: 1, response_tokens: 2, cached_tokens: 3 },
);
const requestParts = fc.oneof(
  objects({ ...kind("user-prompt"), content: words }, dated),
  objects({ ...kind("tool-return"), ...named, content: words }, { status, ...dated }),
);
const responseParts = fc.oneof(
  objects({ ...kind("text"), content: words }, {}),
  objects({ ...kind("thinking"), content: words }, { signature: words }),
  objects({ ...kind("tool-call"), ...named, args }, {}),
);
const lists = (parts: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> =>
  fc.array(parts, { minLength: 1, maxLength: 3 });
const usualMessages = fc.oneof(
  objects({ kind: fc.constant("request"), parts: lists(requestParts) }, { ...dated, run_id: words }),
  objects(
    { kind: fc.constant("response"), parts: lists(responseParts) },
    {
      ...dated,
      usage,
      model_name: words,
      provider_name: words,
      finish_reason: fc.constantFrom("stop", "odd"),
    },
  ),
);

test("what is read the short way is what the long way reads", () => {
  let plain = 0;
  fc.assert(
    fc.property(fc.array(usualMessages), (list) => {
      plain += decodedBothWays(list);
    }),
    { numRuns: 1_000 },
  );
  expect(plain).toBeGreaterThan(500);
});

test("nor do they differ on what is almost a message", () => {
  fc.assert(
    fc.property(almostMessages, (value) => void decodedBothWays(Array.isArray(value) ? value : [value])),
    { numRuns: 1_000 },
  );
});

test("the messages of an ordinary turn are plain", () => {
  const turn: Message[] = [
    {
      kind: "request",
      parts: [{ kind: "user-prompt", content: "hello", timestamp: "2026-01-31T21:04:30Z" }],
    },
    {
      kind: "response",
      parts: [
        { kind: "thinking", content: "hmm" },
        { kind: "text", content: "I look" },
        { kind: "tool-call", toolCallId: "a", toolName: "bash", args: { command: "ls" } },
      ],
      usage: { requestTokens: 5, responseTokens: 2, cachedTokens: 0 },
      modelName: "demo:script",
      finishReason: "tool-call",
      timestamp: "2026-01-31T21:04:30Z",
    },
    {
      kind: "request",
      parts: [{ kind: "tool-return", toolCallId: "a", toolName: "bash", content: "x", status: "failed" }],
    },
  ];
  expect(encodeMessages(turn).map((raw) => decodePlainMessage(raw, new Map()))).toEqual(turn);
});
