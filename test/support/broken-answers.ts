// A vendor whose answers break off: in eight ways, at twenty points, in text, thoughts or arguments, and that goes on,
// repeats itself or starts over when it is asked again. It speaks all four wire formats.
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/base/json.ts";
import { framesOf } from "./strict-llm-server/frames.ts";
import { noIssuedItems } from "./strict-llm-server/issued-items.ts";
import type { RecordedRequest } from "./strict-llm-server/server.ts";
import { SPEAKERS } from "./strict-llm-server/speakers.ts";
import {
  type Answer,
  answer,
  call,
  type Delivery,
  type RawReply,
  type Turn,
  text,
  thought,
} from "./strict-llm-server/turn.ts";
import { WIRES, type Wire } from "./strict-llm-server/wire.ts";

export const WAYS = ["reset", "end", "error", "silence", "garbage", "side", "inside", "proxy"] as const;
const PLACES = ["text", "thought", "arguments"] as const;
const VENDORS = ["goes-on", "repeats-words", "repeats-sentence", "starts-over"] as const;
const POINTS = 20;

export interface BrokenCase {
  readonly wire: Wire;
  readonly way: (typeof WAYS)[number];
  readonly place: (typeof PLACES)[number];
  readonly vendor: (typeof VENDORS)[number];
  readonly point: number;
}

export function allCases(): BrokenCase[] {
  return WIRES.flatMap((wire) =>
    WAYS.flatMap((way) =>
      PLACES.flatMap((place) =>
        VENDORS.flatMap((vendor) =>
          Array.from({ length: POINTS }, (_, point) => ({ wire, way, place, vendor, point })),
        ),
      ),
    ),
  );
}

/** Every word is there once, so that one that is lost or doubled is found. */
export const ANSWER = `Schöne Grüße, here begins one report about tuna. Every harbour keeps 漢字 records, while große fleets wait outside.

- first: catch logs, écrits by hand
- second: “quoted” figures 🐟🐠 from Ýmir

\`\`\`ts
const weight = measure(boat) ?? "über alles";
\`\`\`

Finally, naïve estimates were wrong; their errors grew with distance. That is all.`;

export const PREFACE = "Let me write that down for the fünf captains first.";
export const AFTERWARDS = "It is written.";

/** How the remark begins that asks to go on. */
const REMARK = "The connection broke while you were answering";

/** The turns of one conversation: a whole call, attempt 0; `breaks` answers that break off; then one that doesn't. */
export function brokenVendor(
  broken: BrokenCase,
  toolCall: (attempt: number) => { readonly name: string; readonly args: JsonObject },
  breaks = 1,
): (request: RecordedRequest) => Turn {
  let attempt = -1;
  let isDone = false;
  return (request) => {
    if (isDone) return answer(AFTERWARDS);
    attempt++;
    const { name, args } = toolCall(attempt);
    if (attempt === 0) return answer(thought("First of all."), call(name, args));
    const words = wordsFor(broken, textSoFar(request));
    const reply =
      broken.place === "arguments"
        ? answer(thought("Thinking it over."), text(words, 5), call(name, args, { deltas: 7 }))
        : answer(thought(`Réflexion ${"über alles mögliche ".repeat(8)}`, 5), text(words, 5));
    isDone = attempt > breaks || broken.way === "side";
    if (attempt <= breaks) return breakOff(reply, broken);
    return words === "" ? { ...reply, parts: reply.parts.filter(({ kind }) => kind !== "text") } : reply;
  };
}

/** What the vendor says after the text that it had said before. */
function wordsFor({ place, vendor }: BrokenCase, before: string | undefined): string {
  const whole = place === "arguments" ? PREFACE : ANSWER;
  if (before === undefined) return whole;
  if (!whole.startsWith(before)) throw new Error(`Sent back: ${JSON.stringify(before)}`);
  return whole.slice(repeatedFrom(vendor, before));
}

function repeatedFrom(vendor: BrokenCase["vendor"], before: string): number {
  switch (vendor) {
    case "goes-on":
      return before.length;
    case "repeats-words":
      return before.search(/\S+\s+\S+\s+\S+\s*$/) >= 0 ? before.search(/\S+\s+\S+\s+\S+\s*$/) : 0;
    case "repeats-sentence":
      return Math.max(0, before.trimEnd().search(/(?<=[.\n]\s*)[^.\n]{8,}\.?$/));
    case "starts-over":
      return 0;
  }
}

function breakOff(whole: Answer, { wire, way, place, point }: BrokenCase): RawReply {
  const request = { stream_options: { include_usage: true }, include: ["reasoning.encrypted_content"] };
  const frames = framesOf(wire, whole, { model: "some-model", request, issued: noIssuedItems() });
  const inPlace = frames.flatMap((frame, index) => (isIn(frame, wire, place) ? [index] : []));
  const first = inPlace[0] ?? 0;
  const last = inPlace.at(-1) ?? first;
  const share = point / POINTS;
  const at = first + Math.round(share * (last + 1 - first));
  const bytesBefore = (index: number) => Buffer.byteLength(frames.slice(0, index).join(""));
  const start = bytesBefore(first);
  const byte = start + Math.round(share * (bytesBefore(last + 1) - start));
  switch (way) {
    case "reset":
      return raw(frames, { cut: { atByte: byte, how: "reset" } });
    case "proxy":
      return raw(frames, { cut: { atByte: byte, how: "close" } });
    case "end":
      return raw(frames.slice(0, at));
    case "inside":
      return raw(frames, { cut: { atByte: insideCharacter(frames.join(""), byte), how: "end" } });
    case "silence":
      return raw(frames, { pauses: [{ beforeByte: byte, ms: Number.POSITIVE_INFINITY }] });
    case "error": {
      const failure = { afterEvents: at, status: 500, message: "The engine stopped." };
      return raw([...frames.slice(0, at), SPEAKERS[wire].streamFailure(failure)]);
    }
    case "garbage":
      return raw([...frames.slice(0, at), "data: {{{ <html>\u0001\n\n", ...frames.slice(at)]);
    case "side":
      return raw([...frames.slice(0, at), SIDE_EVENTS[wire], ...frames.slice(at)]);
  }
}

/** What carries no text, call or end, in a form that the vendors' packages refuse. */
const SIDE_EVENTS: Readonly<Record<Wire, string>> = {
  "openai-chat":
    'data: {"id":"c","choices":[{"index":0,"delta":{"role":"narrator","annotations":[{"type":"url_citation"}]}}]}\n\n',
  "openai-responses":
    'data: {"type":"response.output_text.annotation.added","annotation":{"type":"url_citation","url":"https://a.example"}}\n\n',
  anthropic:
    'data: {"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"type":"new_location"}}}\n\n' +
    'event: weather\ndata: {"type":"weather","sunny":true}\n\n' +
    'data: {"type":"content_block_start","index":9,"content_block":{"type":"hologram"}}\n\n' +
    'data: {"type":"content_block_delta","index":9,"delta":{"type":"hologram_delta"}}\n\n' +
    'data: {"type":"content_block_stop","index":9}\n\n',
  google: 'data: {"candidates":[{"groundingMetadata":{"groundingChunks":"none"}}]}\n\n',
};

function raw(frames: readonly string[], delivery: Delivery = {}): RawReply {
  const headers = { "content-type": "text/event-stream" };
  return { kind: "raw", status: 200, headers, body: Buffer.from(frames.join("")), delivery };
}

const MARKS: Readonly<Record<Wire, Readonly<Record<BrokenCase["place"], RegExp>>>> = {
  "openai-chat": { text: /"content":"[^"]/, thought: /"reasoning_content":"/, arguments: /"arguments":/ },
  "openai-responses": {
    text: /output_text\.delta/,
    thought: /reasoning_summary_text\.delta/,
    arguments: /function_call_arguments\.delta/,
  },
  anthropic: { text: /text_delta/, thought: /thinking_delta/, arguments: /input_json_delta/ },
  google: { text: /"text":"[^"](?!.*"thought":true)/, thought: /"thought":true/, arguments: /functionCall/ },
};

function isIn(frame: string, wire: Wire, place: BrokenCase["place"]): boolean {
  return MARKS[wire][place].test(frame);
}

/** The place after the first byte of a character that has several, or the byte itself if none follows. */
function insideCharacter(body: string, byte: number): number {
  const bytes = Buffer.from(body);
  const found = bytes.findIndex((value, index) => index >= byte && value >= 0xc0);
  return found < 0 ? byte : found + 1;
}

/** The text that was sent back with the request to go on from there; undefined in any other request. */
function textSoFar({ wire, body }: RecordedRequest): string | undefined {
  const key = {
    "openai-chat": "messages",
    anthropic: "messages",
    "openai-responses": "input",
    google: "contents",
  };
  const messages = listOf(body[key[wire]]);
  const [said, remark] = messages.slice(-2);
  if (said === undefined || remark === undefined || !words(remark).startsWith(REMARK)) return undefined;
  return words(said);
}

function words(message: JsonObject): string {
  const content = message["content"] ?? message["parts"];
  if (typeof content === "string") return content;
  return listOf(content)
    .map(({ text: said }) => (typeof said === "string" ? said : ""))
    .join("");
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
