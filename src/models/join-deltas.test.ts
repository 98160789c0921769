import { expect, test } from "bun:test";
import type { JsonObject } from "../base/json.ts";
import { joinDeltas } from "./join-deltas.ts";
import type { Wire } from "./settings.ts";

const data = (event: JsonObject) => `data: ${JSON.stringify(event)}\n\n`;
const named = (event: JsonObject & { type: string }) => `event: ${event.type}\n${data(event)}`;
const chat = (delta: JsonObject, choice: JsonObject = {}, chunk: JsonObject = {}) =>
  data({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason: null, ...choice }], ...chunk });
const says = (content: string) => chat({ content });
const calls = (call: JsonObject, index = 0) => chat({ tool_calls: [{ index, ...call }] });
const writes = (words: string, index = 0) => calls({ function: { arguments: words } }, index);
const response = (delta: string, more: JsonObject = {}) =>
  named({ type: "response.output_text.delta", item_id: "i", output_index: 0, delta, logprobs: [], ...more });
const block = (delta: JsonObject, index = 0) => named({ type: "content_block_delta", index, delta });
const google = (part: JsonObject, candidate: JsonObject = {}, chunk: JsonObject = {}) =>
  data({ candidates: [{ content: { parts: [part], role: "model" }, index: 0, ...candidate }], ...chunk });

/** What comes out of chunks, as text; each chunk gives one. */
function join(wire: Wire, ...chunks: (string | Uint8Array)[]): string[] {
  const joined = joinDeltas(wire);
  return chunks.map((chunk) => Buffer.from(joined(Buffer.from(chunk))).toString());
}

test.each<[string, Wire, (text: string) => string]>([
  ["chat text", "openai-chat", says],
  [
    "chat thoughts",
    "openai-chat",
    (text) => chat({ reasoning_content: text, content: null, role: "assistant" }),
  ],
  ["chat thoughts by their other name", "openai-chat", (text) => chat({ reasoning: text, content: "" })],
  ["chat arguments", "openai-chat", writes],
  ["Responses", "openai-responses", response],
  ["Anthropic text", "anthropic", (text) => block({ type: "text_delta", text })],
  ["Anthropic thoughts", "anthropic", (thinking) => block({ type: "thinking_delta", thinking })],
  ["Anthropic arguments", "anthropic", (text) => block({ type: "input_json_delta", partial_json: text })],
  ["Google text", "google", (text) => google({ text })],
  ["Google thoughts", "google", (text) => google({ text, thought: true })],
])("%s: a thousand deltas in one chunk become one event", (_, wire, event) => {
  const texts = Array.from({ length: 1_000 }, (_, index) => `"${index}\\ \n🐟,"content":"`);
  expect(join(wire, texts.map((text) => event(text)).join(""))).toEqual([event(texts.join(""))]);
});

test("numbered events with noise in them are one, with the last number", () => {
  const event = (text: string, number: number, obfuscation: string) =>
    response(text, { sequence_number: number, obfuscation });
  expect(join("openai-responses", event("He", 4, "aB3x") + event("llo", 5, "Q"))).toEqual([
    event("Hello", 5, "Q"),
  ]);
});

test("spaces between the tokens of JSON don't matter", () => {
  const event = (text: string, spaces: string) =>
    `event: content_block_delta\ndata: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "${text}"}${spaces}}\n\n`;
  const [joined = ""] = join("anthropic", event("He", "   ") + event("llo", ""));
  expect(joined).toBe(block({ type: "text_delta", text: "Hello" }));
});

test("halves of a character are one again", () => {
  const half = (written: string) => says("?").replace("?", written);
  expect(join("openai-chat", half("\\ud83d") + half("\\ude00"))).toEqual([says("😀")]);
});

test("each of several runs is joined, in order", () => {
  const events = [
    says("a"),
    says("b"),
    chat({ reasoning: "c" }),
    chat({ reasoning: "d" }),
    says("e"),
    says("f"),
  ];
  expect(join("openai-chat", events.join(""))).toEqual([says("ab") + chat({ reasoning: "cd" }) + says("ef")]);
});

const NOT_JOINED: [string, Wire, string][] = [
  ["texts at different places", "openai-chat", says("a") + chat({ reasoning_content: "b" })],
  ["two texts in one event", "openai-chat", chat({ content: "a", reasoning: "b" }).repeat(2)],
  ["a text and a refusal", "openai-chat", chat({ content: "a", refusal: "b" }).repeat(2)],
  ["an empty text", "openai-chat", says("") + says("a") + says("")],
  ["content in parts", "openai-chat", chat({ content: [{ type: "text", text: "a" }] }).repeat(2)],
  ["two choices", "openai-chat", data({ choices: [{ delta: { content: "a" } }, {}] }).repeat(2)],
  ["a reason to finish", "openai-chat", chat({ content: "a" }, { finish_reason: "stop" }).repeat(2)],
  ["probabilities", "openai-chat", chat({ content: "a" }, { logprobs: { content: [] } }).repeat(2)],
  ["usage", "openai-chat", chat({ content: "a" }, {}, { usage: { total_tokens: 1 } }).repeat(2)],
  ["an error", "openai-chat", chat({ content: "a" }, {}, { error: "b" }).repeat(2)],
  ["a member nobody knows", "openai-chat", chat({ content: "a", audio: "b" }).repeat(2)],
  ["a member only one has", "openai-chat", says("a") + chat({ content: "b", role: "assistant" })],
  ["labels that differ", "openai-chat", says("a") + chat({ content: "b" }, {}, { model: "n" })],
  ["calls of one name", "openai-chat", calls({ function: { name: "f", arguments: "{" } }).repeat(2)],
  [
    "two calls in one event",
    "openai-chat",
    chat({ tool_calls: [{ function: { arguments: "a" } }, {}] }).repeat(2),
  ],
  ["different calls", "openai-chat", writes("a", 0) + writes("b", 1)],
  ["what follows perhaps complete arguments", "openai-chat", writes("}") + writes(" ")],
  ["different items", "openai-responses", response("a") + response("b", { item_id: "j" })],
  ["the whole text", "openai-responses", named({ type: "response.output_text.done", text: "a" }).repeat(2)],
  [
    "different blocks",
    "anthropic",
    block({ type: "text_delta", text: "a" }) + block({ type: "text_delta", text: "a" }, 1),
  ],
  [
    "blocks that begin",
    "anthropic",
    named({ type: "content_block_start", content_block: { text: "a" } }).repeat(2),
  ],
  ["signatures", "anthropic", block({ type: "signature_delta", signature: "a" }).repeat(2)],
  ["a signed text", "google", google({ text: "a", thoughtSignature: "s" }).repeat(2)],
  [
    "two parts",
    "google",
    data({ candidates: [{ content: { parts: [{ text: "a" }, { text: "b" }] } }] }).repeat(2),
  ],
  [
    "usage at Google",
    "google",
    google({ text: "a" }, {}, { usageMetadata: { totalTokenCount: 1 } }).repeat(2),
  ],
  ["a number beyond numbers", "openai-chat", says("a").replace("0", "1e999").repeat(2)],
  ["lines that end in CRLF", "openai-chat", says("a").repeat(2).replaceAll("\n", "\r\n")],
  ["an event with a lone CR", "openai-chat", says("a").replace('","', '",\r"').repeat(2)],
  ["data in several lines", "openai-chat", says("a").replace('","', '",\ndata: "').repeat(2)],
  ["a line break in the data", "openai-chat", says("a").replace('","', '",\n"').repeat(2)],
  ["events with ids", "openai-chat", `id: 1\n${says("a")}id: 2\n${says("b")}`],
  ["events of different names", "openai-chat", `event: a\n${says("a")}event: b\n${says("b")}`],
  ["a comment between them", "openai-chat", `${says("a")}: keep-alive\n\n${says("b")}`],
  ["no JSON", "openai-chat", "data: {a\n\ndata: {a\n\n"],
  ["the end", "openai-chat", "data: [DONE]\n\ndata: [DONE]\n\n"],
  ["blank lines", "openai-chat", `\n\n\n${says("a")}\n\n\n${says("b")}\n`],
];
test.each(NOT_JOINED)("not joined: %s", (_, wire, chunk) => {
  expect(join(wire, chunk)).toEqual([chunk]);
});

test("bytes that are not joined are the very bytes, even where they are no text", () => {
  const chunk = Buffer.concat([Buffer.from(says("a")), Buffer.from([0xff, 0xfe, 10, 10])]);
  expect(joinDeltas("openai-chat")(chunk)).toBe(chunk);
  const bom = Buffer.from(`\ufeff${says("a")}${says("b")}${says("c")}`);
  expect(join("openai-chat", bom)).toEqual([`\ufeff${says("a")}${says("bc")}`]);
});

test("nothing waits for the next chunk, and what was begun in one is not touched in the next", () => {
  const [first, rest] = [says("c").slice(0, 40), says("c").slice(40)];
  expect(join("openai-chat", says("a") + says("b") + first, rest + says("d") + says("e"))).toEqual([
    says("ab") + first,
    rest + says("de"),
  ]);
  // Only a blank line ends an event: after any other line, what follows still belongs to it.
  for (const line of ['data: {"a":1}\n', "event: a\n", "\n"])
    expect(join("openai-chat", `x${line}`, says("b") + says("c") + says("d"))).toEqual([
      `x${line}`,
      says("b") + says("cd"),
    ]);
  // A chunk may end between the line breaks, or within a character.
  const text = says("a") + says("b") + says("ü") + says("c") + says("d");
  const bytes = Buffer.from(text);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const joined = joinDeltas("openai-chat");
    const out = [bytes.subarray(0, cut), bytes.subarray(cut)].map(joined);
    expect(textsOf(Buffer.concat(out).toString())).toBe("abücd");
  }
});

function textsOf(stream: string): string {
  const events = stream.split("\n\n").filter((event) => event !== "");
  return events.map((event) => JSON.parse(event.slice(6)).choices[0].delta.content).join("");
}
