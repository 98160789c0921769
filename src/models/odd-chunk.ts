// Reads what the SDK refuses in a stream although its meaning is clear: chat chunks with arguments as an object or an
// unknown role, new events of a vendor, an end without a reason. The SDK's error holds the refused chunk, so nothing
// has to be parsed twice.
import type { MetadataExtractor } from "@ai-sdk/openai-compatible";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";

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

/** Undefined if it is not a chunk of a chat stream, or says nothing. */
export function readOddChunk(error: unknown): OddChunk | undefined {
  const value = refusedChunk(error);
  if (!isJsonObject(value) || isJsonObject(value["error"])) return undefined;
  const { usage } = value;
  const choice = firstChoice(value);
  const delta = choice["delta"] ?? choice["message"];
  const finishReason = choice["finish_reason"];
  const chunk = {
    ...(isJsonObject(delta) ? readDelta(delta) : NOTHING),
    ...(typeof finishReason === "string" && { finishReason }),
    ...(isJsonObject(usage) && { usage }),
  };
  const says = chunk.text !== "" || chunk.thought !== "" || chunk.calls.length > 0;
  return says || "finishReason" in chunk || "usage" in chunk ? chunk : undefined;
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
        const reason = isJsonObject(chunk) ? firstChoice(chunk)["finish_reason"] : undefined;
        if (typeof reason === "string") kept = reason;
      },
      buildMetadata: () => (kept === undefined ? undefined : { [KEPT_FINISH]: { finishReason: kept } }),
    };
  },
};

const ANTHROPIC_EVENTS = /^(message_(start|delta|stop)|content_block_(start|delta|stop)|ping|error)$/;

/** Anthropic may add events at any time and asks clients to ignore those they don't know. */
export function isNewEvent(error: unknown): boolean {
  const value = refusedChunk(error);
  const type = isJsonObject(value) ? value["type"] : undefined;
  return typeof type === "string" && !ANTHROPIC_EVENTS.test(type);
}

function refusedChunk(error: unknown): unknown {
  return error instanceof Error && "value" in error ? error.value : undefined;
}

function firstChoice({ choices }: JsonObject): JsonObject {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isJsonObject(first) ? first : {};
}

const NOTHING = { text: "", thought: "", calls: [] };

function readDelta(delta: JsonObject): Pick<OddChunk, "text" | "thought" | "calls"> {
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
