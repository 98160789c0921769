// Messages on disk, in the old program's format: it can read what we write, and we lose nothing that it wrote. Reading
// never throws; what can't be understood is kept aside and reported.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { cutDepth } from "../base/json-depth.ts";
import type { FinishReason, Message, Response } from "../domain/message.ts";
import type { Part, RequestPart, ResponsePart } from "../domain/part.ts";
import {
  type DecodedUsage,
  decodeFinishReason,
  decodeUsage,
  upgradeMessage,
  type WireMessage,
} from "./legacy.ts";
import {
  type DecodingReport,
  type Draft,
  isString,
  type Keys,
  readKeys,
  set,
  shapeOf,
  take,
  takeFields,
  takeIf,
  writeFields,
} from "./stored-keys.ts";
import { decodePart, encodePart } from "./stored-parts.ts";

const REQUEST = shapeOf(["kind", "parts"], { timestamp: isString, runId: isString });
const RESPONSE = shapeOf(["kind", "parts", "usage", "finish_reason", "finish"], {
  modelName: isString,
  providerName: isString,
  timestamp: isString,
  runId: isString,
});

export interface DecodedMessages {
  readonly messages: Message[];
  /** From entries of the old program that hold a thought. */
  readonly thoughts: string[];
  readonly problems: Problem[];
}

/** Something that was not understood, or only in part. */
export interface Problem {
  /** Of the message in the file's list; -1: the list itself. */
  readonly index: number;
  /** One sentence for a person. */
  readonly reason: string;
  /** The message or part as it was in the file. */
  readonly raw: JsonValue;
}

export function decodeMessages(json: unknown): DecodedMessages {
  // It comes from JSON.parse; nothing below relies on more than that.
  const list = json as JsonValue | undefined;
  if (Array.isArray(list)) return decodeEach(list);
  const problem = { index: -1, reason: "The messages are not a list.", raw: cutDepth(list ?? null) };
  return { messages: [], thoughts: [], problems: [problem] };
}

/** In the order of the file. */
export function decodeEach(values: Iterable<JsonValue>): DecodedMessages {
  const messages: Message[] = [];
  const thoughts: string[] = [];
  const problems: Problem[] = [];
  let index = -1;
  // The raw value will be written somewhere, so it must not be nested too deeply for that.
  const report: DecodingReport = (reason, raw) => void problems.push({ index, reason, raw: cutDepth(raw) });
  const toolNames = new Map<string, string>();
  for (const raw of values) {
    index++;
    const message = upgradeMessage(raw, thoughts, report);
    if (message === null) continue;
    const place = { side: message.kind, toolNames, report };
    const parts: Part[] = [];
    for (const rawPart of message.parts) {
      const part = decodePart(rawPart, place);
      if (part !== null) parts.push(part);
    }
    if (parts.every((part) => (sideOf(part) ?? message.kind) === message.kind))
      messages.push(toMessage(message.kind, parts, readKeys(message, report)));
    else messages.push(...splitMessage(message, parts, report));
  }
  return { messages, thoughts, problems };
}

export function encodeMessages(messages: readonly Message[]): JsonValue[] {
  return messages.map(encodeMessage);
}

export function encodeMessage(message: Message): WireMessage {
  const { kind, parts, extra } = message;
  const wire: Draft<WireMessage> = { ...extra, kind, parts: parts.map(encodePart) };
  if (message.kind === "request") return writeFields(wire, message, REQUEST);
  set(wire, "usage", encodeUsage(message));
  // The old program knows five reasons and refuses a file with a sixth, which is therefore a key of ours.
  if (message.finishReason === "other") wire["finish"] = message.finishReason;
  else set(wire, "finish_reason", message.finishReason?.replace("-", "_"));
  return writeFields(wire, message, RESPONSE);
}

/**
 * A part that belongs to the other kind of message begins a message of that kind, so that words, calls and returns
 * keep their order. The keys of the message stay with the first piece of its own kind.
 */
function splitMessage(message: WireMessage, parts: readonly Part[], report: DecodingReport): Message[] {
  const runs: { side: Message["kind"]; parts: Part[] }[] = [];
  for (const part of parts) {
    const run = runs.at(-1);
    const side = sideOf(part) ?? run?.side ?? message.kind;
    if (run?.side === side) run.parts.push(part);
    else runs.push({ side, parts: [part] });
  }
  const holder = runs.find((run) => run.side === message.kind) ?? runs[0];
  return runs.map((run) => toMessage(run.side, run.parts, readKeys(run === holder ? message : {}, report)));
}

/** The kind of message a part belongs to; an unknown one belongs wherever it stands. */
function sideOf(part: Part): Message["kind"] | null {
  if (part.kind === "unknown") return null;
  return isRequestPart(part) ? "request" : "response";
}

function isRequestPart(part: Part): part is RequestPart {
  return part.kind !== "text" && part.kind !== "thinking" && part.kind !== "tool-call";
}

function isResponsePart(part: Part): part is ResponsePart {
  return part.kind === "unknown" || !isRequestPart(part);
}

function toMessage(side: Message["kind"], parts: readonly Part[], keys: Keys): Message {
  if (side === "request")
    return takeFields({ kind: side, parts: parts.filter(isRequestPart) }, keys, REQUEST);
  const response: Draft<Response> = { kind: side, parts: parts.filter(isResponsePart) };
  const tokens = takeUsage(keys);
  set(response, "usage", tokens?.usage);
  set(response, "finishReason", takeFinishReason(keys));
  takeFields(response, keys, RESPONSE);
  // What a vendor counts beyond our three numbers stays in the response's extra, under the same key.
  if (tokens?.more !== undefined) response.extra = { ...response.extra, usage: tokens.more };
  return response;
}

function takeUsage(keys: Keys): DecodedUsage | undefined {
  const usage = take(keys, "usage") ?? undefined;
  const decoded = isJsonObject(usage) ? decodeUsage(usage) : undefined;
  if (usage !== undefined && decoded === undefined) keys.refused.push("usage");
  return decoded;
}

function encodeUsage({ usage, extra }: Response): JsonObject | undefined {
  if (usage === undefined) return undefined;
  const more = extra?.["usage"];
  return {
    ...(isJsonObject(more) ? more : {}),
    input_tokens: usage.requestTokens,
    output_tokens: usage.responseTokens,
    cache_read_tokens: usage.cachedTokens,
  };
}

function takeFinishReason(keys: Keys): FinishReason | undefined {
  const reason = takeIf(keys, "finish_reason", isString);
  const other = takeIf(keys, "finish", (value) => value === "other");
  return reason === undefined ? other : decodeFinishReason(reason);
}
