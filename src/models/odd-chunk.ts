// Reads what the SDK refuses in a stream although its meaning is clear: a chunk with an odd field beside its text, a
// citation without its place, new events of a vendor, an end without a reason. The SDK's error holds the refused chunk,
// so nothing has to be parsed twice.
import type { MetadataExtractor } from "@ai-sdk/openai-compatible";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { isErrorChunk } from "./error-fields.ts";
import type { Wire } from "./settings.ts";

interface OddChunk {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly OddCall[];
  readonly finishReason?: string;
  readonly usage?: JsonObject;
}

interface OddCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** A chunk without text, call or end. */
const NOTHING: OddChunk = { text: "", thought: "", calls: [] };

/** Undefined if the answer can't go on without what the chunk says. */
export function readOddChunk(wire: Wire, error: unknown): OddChunk | undefined {
  const value = refusedChunk(error);
  if (!isJsonObject(value)) return undefined;
  switch (wire) {
    case "anthropic":
      return isSideEvent(value) ? NOTHING : undefined;
    case "openai-responses":
      return isErrorChunk(value) ? undefined : readResponsesEvent(value);
    case "openai-chat":
      return isErrorChunk(value) ? undefined : readChatChunk(value);
    case "google":
      return isErrorChunk(value) ? undefined : readGoogleChunk(value);
  }
}

/** The chat packages report an end without a finish reason as an error without data. */
export function isEndWithoutReason(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === "AI_InvalidResponseDataError" &&
    "data" in error &&
    error.data === undefined
  );
}

/** The key under which the finish reason is kept: the chat package forgets it when it refuses a later chunk. */
export const KEPT_FINISH = "tunacode";

/** Sees every chunk that the chat package accepts. The metadata it builds comes with the end of the stream. */
export const keepFinishReason: MetadataExtractor = {
  extractMetadata: async () => undefined,
  createStreamExtractor: () => {
    let kept: string | undefined;
    return {
      processChunk: (chunk: unknown) => {
        const reason = isJsonObject(chunk) ? firstOf(chunk["choices"])["finish_reason"] : undefined;
        if (typeof reason === "string") kept = reason;
      },
      buildMetadata: () => (kept === undefined ? undefined : { [KEPT_FINISH]: { finishReason: kept } }),
    };
  },
};

function refusedChunk(error: unknown): unknown {
  return error instanceof Error && "value" in error ? error.value : undefined;
}

const ANTHROPIC_EVENTS = /^(message_(start|delta|stop)|content_block_(start|delta|stop)|ping|error)$/;
const ANTHROPIC_DELTAS = /^(text|thinking|input_json|signature)_delta$/;

/** Anthropic may add events, blocks and deltas at any time and asks clients to ignore those they don't know. */
function isSideEvent(event: JsonObject): boolean {
  const type = stringOr(event["type"]);
  if (type === "content_block_start") return typeOf(event["content_block"]) !== "tool_use";
  if (type === "content_block_delta") return !ANTHROPIC_DELTAS.test(typeOf(event["delta"]));
  return type !== "" && !ANTHROPIC_EVENTS.test(type);
}

const RESPONSES_CALLS = /^response\.(function_call_arguments|custom_tool_call_input)\./;

/** What is not read here is a citation, a part of a thought, or the progress of OpenAI's own tools. */
function readResponsesEvent({ type, delta, item }: JsonObject): OddChunk | undefined {
  switch (type) {
    case "response.output_text.delta":
    case "response.refusal.delta":
      return typeof delta === "string" ? { ...NOTHING, text: delta } : undefined;
    case "response.completed":
      return { ...NOTHING, finishReason: "stop" };
    case "response.incomplete":
    case "response.failed":
      return undefined;
    case "response.output_item.added":
    case "response.output_item.done":
      return typeOf(item) === "function_call" ? undefined : NOTHING;
    default:
      return typeof type !== "string" || RESPONSES_CALLS.test(type) ? undefined : NOTHING;
  }
}

function readChatChunk({ choices, usage }: JsonObject): OddChunk | undefined {
  const choice = firstOf(choices);
  const delta = choice["delta"] ?? choice["message"];
  const said = isJsonObject(delta) ? readDelta(delta) : NOTHING;
  const finishReason = choice["finish_reason"];
  return (
    said && {
      ...said,
      ...(typeof finishReason === "string" && { finishReason }),
      ...(isJsonObject(usage) && { usage }),
    }
  );
}

function readDelta(delta: JsonObject): OddChunk | undefined {
  const written = delta["tool_calls"];
  const calls = Array.isArray(written) ? written.map(readCall) : [];
  const whole = calls.filter((call) => call !== undefined);
  // A piece of a call can't be joined with the pieces that the SDK has taken.
  if (whole.length < calls.length) return undefined;
  const thought = stringOr(delta["reasoning_content"]) || stringOr(delta["reasoning"]);
  return { text: stringOr(delta["content"]), thought, calls: whole };
}

function readCall(call: unknown): OddCall | undefined {
  const called = isJsonObject(call) ? call["function"] : undefined;
  if (!isJsonObject(call) || !isJsonObject(called)) return undefined;
  const name = stringOr(called["name"]).trim();
  const args = called["arguments"] ?? called["parameters"] ?? {};
  const input = typeof args === "string" ? args : JSON.stringify(args);
  return name === "" ? undefined : { id: stringOr(call["id"]), name, input };
}

const GOOGLE_ENDS: Readonly<Record<string, string>> = { STOP: "stop", MAX_TOKENS: "length" };

function readGoogleChunk({ candidates }: JsonObject): OddChunk {
  const { content, finishReason } = firstOf(candidates);
  const written = isJsonObject(content) ? content["parts"] : [];
  const parts = Array.isArray(written) ? written.filter(isJsonObject) : [];
  const words = (isThought: boolean) =>
    parts.map(({ text, thought }) => ((thought === true) === isThought ? stringOr(text) : "")).join("");
  const calls = parts.flatMap(({ functionCall: called }) =>
    isJsonObject(called)
      ? [
          {
            id: stringOr(called["id"]),
            name: stringOr(called["name"]),
            input: JSON.stringify(called["args"] ?? {}),
          },
        ]
      : [],
  );
  return {
    text: words(false),
    thought: words(true),
    calls,
    ...(typeof finishReason === "string" && { finishReason: GOOGLE_ENDS[finishReason] ?? "other" }),
  };
}

function firstOf(list: JsonValue | undefined): JsonObject {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isJsonObject(first) ? first : {};
}

function typeOf(value: JsonValue | undefined): string {
  return isJsonObject(value) ? stringOr(value["type"]) : "";
}

function stringOr(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
