// Messages as they are on disk, in the old program's format: it can read what we write, and nothing it wrote is
// lost on us. Reading never throws; what can't be understood is kept aside and reported.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { cutDepth, isTooDeep, MAX_JSON_DEPTH } from "../base/json-depth.ts";
import type { FinishReason, Message, Request, Response } from "../domain/message.ts";
import type { Part, RequestPart, ResponsePart } from "../domain/part.ts";
import {
  type DecodedUsage,
  decodeFinishReason,
  decodeUsage,
  upgradeMessage,
  type WireMessage,
} from "./legacy.ts";
import { defined, extraOf, type Keys, readKeys, takeIf, takeString } from "./wire-keys.ts";
import { decodePart, encodePart } from "./wire-parts.ts";

export interface DecodedMessages {
  readonly messages: Message[];
  /** From old entries that hold nothing but a thought. */
  readonly thoughts: string[];
  readonly problems: Problem[];
}

/** Something that was not understood, wholly or in part. */
export interface Problem {
  /** Of the message in the file's list; -1: the list itself. */
  readonly index: number;
  /** One sentence for a person. */
  readonly reason: string;
  /** The message or part as it was in the file. */
  readonly raw: JsonValue;
}

export function decodeMessages(json: unknown): DecodedMessages {
  const decoded: DecodedMessages = { messages: [], thoughts: [], problems: [] };
  // What comes from JSON.parse is JSON; nothing below relies on more.
  const list = json as JsonValue;
  if (!Array.isArray(list)) {
    decoded.problems.push({ index: -1, reason: "The messages are not a list.", raw: list ?? null });
    return decoded;
  }
  const toolNames = new Map<string, string>();
  for (const [index, raw] of list.entries()) decodeEntry(raw, index, toolNames, decoded);
  return decoded;
}

export function encodeMessages(messages: readonly Message[]): JsonValue[] {
  return messages.map((message) =>
    message.kind === "request" ? encodeRequest(message) : encodeResponse(message),
  );
}

function decodeEntry(
  entry: JsonValue,
  index: number,
  toolNames: Map<string, string>,
  { messages, thoughts, problems }: DecodedMessages,
): void {
  const tooDeep = isTooDeep(entry);
  const raw = tooDeep ? cutDepth(entry) : entry;
  if (tooDeep) problems.push({ index, reason: `It is nested over ${MAX_JSON_DEPTH} levels deep.`, raw });
  const upgrade = upgradeMessage(raw);
  if (!upgrade.ok) {
    problems.push({ index, reason: upgrade.problem, raw });
    return;
  }
  if (upgrade.thought !== undefined) thoughts.push(upgrade.thought);
  const { message } = upgrade;
  if (message === null) return;
  const parts = message.parts.flatMap((part) => {
    const report = (reason: string) => void problems.push({ index, reason, raw: part });
    return decodePart(part, { side: message.kind, toolNames, report }) ?? [];
  });
  messages.push(...toMessages(message, parts));
}

/**
 * A part that belongs to the other kind of message begins a message of that kind, so that words, calls and returns
 * keep their order. The keys of the message stay with the first piece of its own kind.
 */
function toMessages(message: WireMessage, parts: readonly Part[]): Message[] {
  const runs: { side: Message["kind"]; parts: Part[] }[] = [];
  for (const part of parts) {
    const run = runs.at(-1);
    const side = sideOf(part) ?? run?.side ?? message.kind;
    if (run?.side === side) run.parts.push(part);
    else runs.push({ side, parts: [part] });
  }
  if (runs.length === 0) runs.push({ side: message.kind, parts: [] });
  const holder = runs.find((run) => run.side === message.kind) ?? runs[0];
  return runs.map((run) => {
    const keys = run === holder ? readKeys(message.raw, message.understood) : readKeys({}, []);
    return run.side === "request" ? decodeRequest(run.parts, keys) : decodeResponse(run.parts, keys);
  });
}

/** An unknown part belongs wherever it stands. */
function sideOf(part: Part): Message["kind"] | null {
  if (part.kind === "unknown") return null;
  return isRequestPart(part) ? "request" : "response";
}

function isRequestPart(part: Part): part is RequestPart {
  return !RESPONSE_KINDS.includes(part.kind);
}

function isResponsePart(part: Part): part is ResponsePart {
  return part.kind === "unknown" || RESPONSE_KINDS.includes(part.kind);
}

const RESPONSE_KINDS: readonly Part["kind"][] = ["text", "thinking", "tool-call"];

function decodeRequest(parts: readonly Part[], keys: Keys): Request {
  return {
    kind: "request",
    parts: parts.filter(isRequestPart),
    ...defined({ timestamp: takeString(keys, "timestamp"), runId: takeString(keys, "run_id") }),
    ...extraOf(keys),
  };
}

function encodeRequest(request: Request): JsonObject {
  return {
    ...request.extra,
    kind: request.kind,
    parts: request.parts.map(encodePart),
    ...defined({ timestamp: request.timestamp, run_id: request.runId }),
  };
}

function decodeResponse(parts: readonly Part[], keys: Keys): Response {
  const { usage, more } = takeUsage(keys);
  const fields = defined({
    modelName: takeString(keys, "model_name"),
    providerName: takeString(keys, "provider_name"),
    usage,
    finishReason: takeFinishReason(keys),
    timestamp: takeString(keys, "timestamp"),
    runId: takeString(keys, "run_id"),
  });
  const { extra } = extraOf(keys);
  return {
    kind: "response",
    parts: parts.filter(isResponsePart),
    ...fields,
    ...defined({ extra: more === undefined ? extra : { ...extra, usage: more } }),
  };
}

function encodeResponse(response: Response): JsonObject {
  return {
    ...response.extra,
    kind: response.kind,
    parts: response.parts.map(encodePart),
    ...encodeUsage(response),
    ...defined({ model_name: response.modelName, provider_name: response.providerName }),
    ...encodeFinishReason(response.finishReason),
    ...defined({ timestamp: response.timestamp, run_id: response.runId }),
  };
}

/** What a vendor counts beyond our three numbers stays in the response's extra, under the same key. */
function takeUsage(keys: Keys): Partial<DecodedUsage> {
  const raw = keys.raw["usage"];
  const decoded = isJsonObject(raw) ? decodeUsage(raw) : null;
  if (decoded !== null || raw === null) keys.understood.push("usage");
  return decoded ?? {};
}

function encodeUsage({ usage, extra }: Response): JsonObject {
  if (usage === undefined) return {};
  const more = extra?.["usage"];
  return {
    usage: {
      ...(isJsonObject(more) ? more : {}),
      input_tokens: usage.requestTokens,
      output_tokens: usage.responseTokens,
      cache_read_tokens: usage.cachedTokens,
    },
  };
}

/** The old program knows five reasons and refuses a file with a sixth, so that one is a key of ours. */
function encodeFinishReason(reason: FinishReason | undefined): JsonObject {
  if (reason === undefined) return {};
  return reason === "other" ? { finish: reason } : { finish_reason: reason.replace("-", "_") };
}

function takeFinishReason(keys: Keys): FinishReason | undefined {
  const reason = takeString(keys, "finish_reason");
  if (reason !== undefined) return decodeFinishReason(reason);
  return takeIf(keys, "finish", (value) => value === "other");
}
