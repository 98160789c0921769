// Streams for property tests, event by event: what the strict server would send, quirks included, and what nobody
// should send, with events in any order, of any shape and in any style.
import fc from "fast-check";
import type { JsonObject } from "../../src/base/json.ts";
import { framesOf } from "./strict-llm-server/frames.ts";
import { noIssuedItems } from "./strict-llm-server/issued-items.ts";
import { answer, call, type Quirk, text, thought } from "./strict-llm-server/turn.ts";
import type { Wire } from "./strict-llm-server/wire.ts";

/** Each is a whole event with its blank line, or something else that ends in one. */
export function generatedStream(wire: Wire): fc.Arbitrary<string[]> {
  return fc.oneof(scripted(wire), wild(wire));
}

/** Everything that could be mistaken for the grammar around it. */
const words = fc.oneof(
  fc.constantFrom("a", "b ", "ü", "🐟", "\ud83d", "\ude00", '"', "\\", "\n\n", "\r\n", "data: {", "\u2028"),
  fc.constantFrom('"content":"', '{"a":', "1}", "]", "<think>", "</think>", "", " ", "\u0000"),
  fc.string({ unit: "binary", maxLength: 5 }),
);
const deltas = fc.array(words, { maxLength: 12 });

const QUIRKS: readonly Quirk[] = [
  ...(["one-id", "no-ids", "no-usage", "pings", "object-arguments", "late-name", "repeated-name"] as const),
  ...(["no-index", "interleaved-calls", "reasoning-field", "think-tags", "no-choices-at-end"] as const),
  ...(["usage-with-finish", "no-done"] as const),
];

function scripted(wire: Wire): fc.Arbitrary<string[]> {
  const part = fc.oneof(
    deltas.map((pieces) => text(pieces.join(""), pieces)),
    deltas.map((pieces) => thought(pieces.join(""), pieces)),
    fc
      .tuple(fc.string(), fc.integer({ min: 1, max: 4 }))
      .map(([command, size]) => call("bash", { command, list: [{}, [command]] }, { deltas: size })),
  );
  return fc
    .record({
      parts: fc.array(part, { minLength: 1, maxLength: 4 }),
      quirks: fc.subarray([...QUIRKS]),
      lineEnd: fc.constantFrom("\n" as const, "\n" as const, "\r\n" as const),
      keepAlive: fc.constantFrom({}, {}, { keepAlive: "keep-alive" }),
    })
    .map(({ parts, quirks, lineEnd, keepAlive }) => {
      const request = { stream_options: { include_usage: true }, include: ["reasoning.encrypted_content"] };
      const context = { model: "m", request, issued: noIssuedItems() };
      return framesOf(wire, { ...answer(...parts), quirks, delivery: { lineEnd, ...keepAlive } }, context);
    });
}

function wild(wire: Wire): fc.Arbitrary<string[]> {
  const { beginning, middle, end } = EVENTS[wire];
  // Neighbours of one kind are what is joined, so they come in runs.
  const runs = fc.array(middle.chain(sameKind), { maxLength: 8 });
  const events = runs.map((all) => [...beginning, ...all.flat(), ...end]);
  return fc
    .tuple(events, fc.infiniteStream(fc.integer({ min: 0, max: 40 })))
    .map(([all, styles]) => all.map((event) => written(event, styles.next().value ?? 0)));
}

/** The same event a few times, with other texts in the places of its texts. */
function sameKind(event: JsonObject): fc.Arbitrary<JsonObject[]> {
  return fc.array(words, { minLength: 1, maxLength: 10 }).map((texts) =>
    texts.map((each, index) => {
      const json = JSON.stringify(event).replaceAll(TEXT, JSON.stringify(each).slice(1, -1));
      return JSON.parse(json.replaceAll('"#"', `${index}`));
    }),
  );
}

/** Stands for a text, and "#" for a number that counts. */
const TEXT = "%text%";

function written(event: JsonObject, style: number): string {
  const json = JSON.stringify(event);
  const name = typeof event["type"] === "string" ? `event: ${event["type"]}\n` : "";
  switch (style) {
    case 1:
      return `data: ${json}\r\n\r\n`;
    case 3:
      return `: a comment\n\n${name}data:${json}\n\n`;
    case 5:
      return `id: 1\n${name}data: ${json}\n\n`;
    case 7:
      return `data: ${json.replace(",", ",\ndata: ")}\n\n`;
    case 9:
      return `\n${name}data: ${json.slice(0, -1)}   }\n\n\n`;
    default:
      return `${name}data: ${json}\n\n`;
  }
}

interface WildEvents {
  readonly beginning: readonly JsonObject[];
  readonly middle: fc.Arbitrary<JsonObject>;
  readonly end: readonly JsonObject[];
}

const place = fc.integer({ min: 0, max: 1 });

const chunk = (delta: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: "c",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const piece = (index: number, fields: JsonObject, called: JsonObject = { arguments: TEXT }) =>
  chunk({ tool_calls: [{ index, ...fields, function: called }] });

const block = (index: number, delta: JsonObject) => ({ type: "content_block_delta", index, delta });

const candidate = (parts: JsonObject[], more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: "model", parts }, index: 0 }],
  ...more,
});

const responseDelta = (type: string, index: number, more: JsonObject = {}) => ({
  type: `response.${type}.delta`,
  item_id: `item_${index}`,
  output_index: index,
  sequence_number: "#",
  delta: TEXT,
  ...more,
});
const responseItem = (when: string, index: number, item: JsonObject) => ({
  type: `response.output_item.${when}`,
  output_index: index,
  item,
});

const EVENTS: Readonly<Record<Wire, WildEvents>> = {
  "openai-chat": {
    beginning: [
      chunk({ role: "assistant", content: "" }),
      piece(0, { id: "call_0", type: "function" }, { name: "bash", arguments: "" }),
      piece(1, { id: "call_1", type: "function" }, { name: "bash", arguments: "" }),
    ],
    middle: fc.oneof(
      fc.constantFrom<JsonObject>(
        chunk({ content: TEXT }),
        chunk({ role: "assistant", content: TEXT, reasoning_content: null }),
        chunk({ content: "", reasoning_content: TEXT }),
        chunk({ reasoning: TEXT }),
        chunk({ content: TEXT, reasoning: TEXT }),
        chunk({ content: TEXT, refusal: TEXT }),
        // The SDK refuses these; we read them all the same.
        chunk({ role: "model", content: TEXT }),
        { ...chunk({ content: TEXT }), created: "now" },
        { ...chunk({ content: TEXT }), usage: { prompt_tokens: 1, completion_tokens: "#" } },
        { ...chunk({ content: TEXT }), obfuscation: TEXT },
        chunk({ content: TEXT }, { finish_reason: "stop" }),
      ),
      place.map((index) => piece(index, {})),
      place.map((index) => piece(index, { id: `call_${index}` })),
      place.map((index) => piece(index, {}, { name: "bash", arguments: TEXT })),
      place.map((index) => piece(0, { id: `call_${index + 2}` }, { name: "bash", arguments: TEXT })),
    ),
    end: [chunk({}, { finish_reason: "stop" })],
  },
  "openai-responses": {
    beginning: [
      { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
      responseItem("added", 0, { type: "message", id: "item_0" }),
      responseItem("added", 1, {
        ...{ type: "function_call", id: "item_1", call_id: "call_1", name: "bash", arguments: "" },
      }),
      responseItem("added", 2, { type: "reasoning", id: "item_2" }),
    ],
    middle: fc.oneof(
      place.map((index) => responseDelta("output_text", index, { logprobs: [], obfuscation: TEXT })),
      place.map((index) => responseDelta("function_call_arguments", index)),
      place.map((index) => responseDelta("reasoning_summary_text", 2, { summary_index: index })),
      place.map((index) => responseDelta("refusal", index)),
      place.map((index) => responseDelta("weather", index)),
      fc.constantFrom<JsonObject>(
        responseItem("added", 3, { type: "message", id: "item_3" }),
        responseDelta("output_text", 0, { logprobs: [{ token: "a", logprob: 0, top_logprobs: [] }] }),
      ),
    ),
    end: [
      responseItem("done", 2, { type: "reasoning", id: "item_2", encrypted_content: "e" }),
      responseItem("done", 0, { type: "message", id: "item_0" }),
      responseItem("done", 1, {
        ...{ type: "function_call", id: "item_1", call_id: "call_1", name: "bash", arguments: "{}" },
        status: "completed",
      }),
      { type: "response.completed", response: { usage: { input_tokens: 1, output_tokens: 2 } } },
    ],
  },
  anthropic: {
    beginning: [
      {
        type: "message_start",
        message: { id: "m", model: "m", role: "assistant", usage: { input_tokens: 1, output_tokens: 1 } },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      {
        type: "content_block_start",
        index: 1,
        content_block: { type: "tool_use", id: "call_1", name: "bash" },
      },
      { type: "content_block_start", index: 2, content_block: { type: "thinking", thinking: "" } },
    ],
    middle: fc.oneof(
      place.map((index) => block(index, { type: "text_delta", text: TEXT })),
      place.map((index) => block(index + 1, { type: "thinking_delta", thinking: TEXT })),
      place.map((index) => block(index, { type: "input_json_delta", partial_json: TEXT })),
      fc.constantFrom<JsonObject>(
        block(2, { type: "signature_delta", signature: TEXT }),
        { type: "ping" },
        { type: "weather", delta: { text: TEXT } },
        { type: "content_block_start", index: 3, content_block: { type: "text", text: TEXT } },
        { type: "content_block_stop", index: 0 },
      ),
    ),
    end: [
      ...[0, 1, 2].map((index) => ({ type: "content_block_stop", index })),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 3 } },
      { type: "message_stop" },
    ],
  },
  google: {
    beginning: [],
    middle: fc.constantFrom<JsonObject>(
      candidate([{ text: TEXT }]),
      candidate([{ text: TEXT }], { modelVersion: "m", responseId: "r" }),
      candidate([{ text: TEXT, thought: true }]),
      candidate([{ text: TEXT, thoughtSignature: TEXT }]),
      candidate([{ text: TEXT }, { text: TEXT, thought: true }]),
      candidate([{ functionCall: { name: "bash", args: { command: TEXT } } }]),
      candidate([{ text: TEXT }], { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: "#" } }),
    ),
    end: [{ candidates: [{ content: { parts: [{ text: "" }] }, finishReason: "STOP" }] }],
  },
};
