// A scripted answer as data: what the model says, how a vendor fails, and how the bytes are delivered.
import type { JsonObject } from "../../../src/base/json.ts";

export type Turn = Answer | Refusal | RawReply | { readonly kind: "close" };

/** The model answers. */
export interface Answer {
  readonly kind: "answer";
  readonly parts: readonly TurnPart[];
  /** By default derived from the sizes of request and answer. */
  readonly usage?: TurnUsage;
  /** By default derived from the parts. `raw` is sent unchanged. */
  readonly finish?: Finish | { readonly raw: string };
  readonly quirks?: readonly Quirk[];
  /** The stream begins well and ends in an error. */
  readonly failure?: StreamFailure;
  /** Raw text put before the event with this number. */
  readonly inject?: readonly { readonly beforeEvent: number; readonly text: string }[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly delivery?: Delivery;
}

/** The vendor refuses, with its own error body. */
export interface Refusal {
  readonly kind: "refuse";
  readonly status: number;
  readonly message?: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delivery?: Delivery;
}

/** Arbitrary bytes: a proxy's HTML page, an empty body, a prepared stream. */
export interface RawReply {
  readonly kind: "raw";
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly delivery?: Delivery;
}

export type TurnPart = TextTurnPart | ThoughtTurnPart | CallTurnPart;

interface Split {
  /** The exact deltas, which make up the text; or their size in characters, by default 16. */
  readonly deltas?: readonly string[] | number;
}

export interface TextTurnPart extends Split {
  readonly kind: "text";
  readonly text: string;
}

/**
 * The server adds signatures, encrypted content and item ids. With a thinking budget Claude always thinks before its
 * first call; if a script leaves that out, the next request of that loop is refused.
 */
export interface ThoughtTurnPart extends Split {
  readonly kind: "thought";
  readonly text: string;
  /** Anthropic's redacted_thinking: nothing is shown. */
  readonly redacted?: boolean;
}

export interface CallTurnPart extends Split {
  readonly kind: "call";
  readonly name: string;
  /** A string is sent unchanged, even if it is invalid JSON. */
  readonly args: JsonObject | string;
  readonly id?: string;
}

export interface TurnUsage {
  /** The whole prompt, cached or not. */
  readonly input: number;
  /** Everything written, including thinking. */
  readonly output: number;
  readonly cached?: number;
  readonly cacheWrite?: number;
  readonly thinking?: number;
}

export type Finish = "stop" | "length" | "tool-calls" | "content-filter";

export interface StreamFailure {
  readonly afterEvents: number;
  readonly status: number;
  readonly message: string;
  readonly code?: string;
}

/** What local servers and proxies do to the chat format; those marked * are honoured on every wire. */
export type Quirk =
  /** * All calls of an answer share one id. */
  | "one-id"
  /** * Calls have no id. */
  | "no-ids"
  /** * No usage at all. */
  | "no-usage"
  /** * A ping between any two events. */
  | "pings"
  /** Arguments are an object, not a string. */
  | "object-arguments"
  /** The first piece of a call has no name yet. */
  | "late-name"
  /** Every piece of a call repeats its name. */
  | "repeated-name"
  /** Pieces of a call have no index. */
  | "no-index"
  /** The pieces of parallel calls alternate. */
  | "interleaved-calls"
  /** Thoughts come as `reasoning` instead of `reasoning_content`. */
  | "reasoning-field"
  /** Thoughts come as <think> in the text. */
  | "think-tags"
  /** Calls come as <tool_call> in the text. */
  | "calls-as-text"
  /** The last chunk has no `choices`. */
  | "no-choices-at-end"
  /** Usage comes with the finish reason instead of in a chunk of its own. */
  | "usage-with-finish"
  /** No [DONE]. */
  | "no-done";

/** How bytes are delivered. The default is one piece at once, to keep tests fast. */
export interface Delivery {
  /** Infinity means never, until the client disconnects. */
  readonly headersAfterMs?: number;
  /** Pieces: whole (64 KiB writes), one per event, one byte, n bytes, or breaks inside every multi-byte character. */
  readonly pieces?: "whole" | "event" | "byte" | "inside-characters" | number;
  readonly betweenPiecesMs?: number;
  /** Infinity is possible here, too. */
  readonly pauses?: readonly { readonly beforeByte: number; readonly ms: number }[];
  /** Sends only this many bytes of the body, then a reset, a close inside the body, or an end that looks clean. */
  readonly cut?: { readonly atByte: number; readonly how: "reset" | "close" | "end" };
  readonly lineEnd?: "\n" | "\r\n";
  /** A comment line before every event. */
  readonly keepAlive?: string;
}

export function answer(...parts: readonly (TurnPart | string)[]): Answer {
  return { kind: "answer", parts: parts.map((part) => (typeof part === "string" ? text(part) : part)) };
}

export function text(words: string, deltas?: readonly string[] | number): TextTurnPart {
  return { kind: "text", text: words, ...(deltas === undefined ? {} : { deltas }) };
}

export function thought(words: string, deltas?: readonly string[] | number): ThoughtTurnPart {
  return { kind: "thought", text: words, ...(deltas === undefined ? {} : { deltas }) };
}

export function call(
  name: string,
  args: JsonObject | string = {},
  more: { readonly id?: string; readonly deltas?: readonly string[] | number } = {},
): CallTurnPart {
  return { kind: "call", name, args, ...more };
}

export function refuse(status: number, more: Omit<Refusal, "kind" | "status"> = {}): Refusal {
  return { kind: "refuse", status, ...more };
}

export function htmlPage(status: number): RawReply {
  const body = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>Bad gateway</h1></body></html>`;
  return { kind: "raw", status, headers: { "content-type": "text/html; charset=UTF-8" }, body };
}

export function emptyBody(status = 200): RawReply {
  return { kind: "raw", status, headers: { "content-type": "text/event-stream" }, body: "" };
}
