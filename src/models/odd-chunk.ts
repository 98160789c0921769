// What the SDK refuses in a stream although its meaning is plain: chunks of chat servers with arguments as an
// object or a role of their own, events a vendor added lately, an end without a reason. The refused chunk comes
// with the SDK's error, so nothing has to be parsed a second time.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";

export interface OddChunk {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly OddCall[];
  readonly finishReason?: string;
}

export interface OddCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** undefined: not a chunk of a chat stream, or one that says nothing. */
export function readOddChunk(error: unknown): OddChunk | undefined {
  const value = error instanceof Error && "value" in error ? error.value : undefined;
  const choices = isJsonObject(value) ? value["choices"] : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isJsonObject(choice)) return undefined;
  const delta = choice["delta"] ?? choice["message"];
  const { text, thought, calls } = isJsonObject(delta) ? readDelta(delta) : NOTHING;
  const finishReason = choice["finish_reason"];
  if (text === "" && thought === "" && calls.length === 0 && typeof finishReason !== "string")
    return undefined;
  return { text, thought, calls, ...(typeof finishReason === "string" && { finishReason }) };
}

/** The chat packages report an end without a finish reason as an error about no data. */
export function isEndWithoutReason(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === "AI_InvalidResponseDataError" &&
    "data" in error &&
    error.data === undefined
  );
}

const ANTHROPIC_EVENTS = /^(message_(start|delta|stop)|content_block_(start|delta|stop)|ping|error)$/;

/** Anthropic may add events at any time and asks its clients to pass over those they don't know. */
export function isNewEvent(error: unknown): boolean {
  const value = error instanceof Error && "value" in error ? error.value : undefined;
  const type = isJsonObject(value) ? value["type"] : undefined;
  return typeof type === "string" && !ANTHROPIC_EVENTS.test(type);
}

const NOTHING = { text: "", thought: "", calls: [] };

function readDelta(delta: JsonObject): Omit<OddChunk, "finishReason"> {
  const calls = delta["tool_calls"];
  return {
    text: stringOr(delta["content"]),
    thought: stringOr(delta["reasoning_content"]) || stringOr(delta["reasoning"]),
    calls: Array.isArray(calls) ? calls.flatMap(readCall) : [],
  };
}

function readCall(call: unknown): OddCall[] {
  const called = isJsonObject(call) ? call["function"] : undefined;
  if (!isJsonObject(call) || !isJsonObject(called)) return [];
  const name = stringOr(called["name"]).trim();
  const args = called["arguments"] ?? called["parameters"] ?? {};
  const input = typeof args === "string" ? args : JSON.stringify(args);
  return name === "" ? [] : [{ id: stringOr(call["id"]), name, input }];
}

function stringOr(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
