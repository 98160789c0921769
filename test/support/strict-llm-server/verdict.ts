// The vendor's verdict on a request before any model sees it: size, key, JSON, model, window, grammar.
import { isJsonObject, type JsonObject, parseJson } from "../../../src/base/json.ts";
import type { IssuedItems } from "./issued-items.ts";
import { judge } from "./judge.ts";
import { SPEAKERS } from "./speakers.ts";
import type { Problem, Wire } from "./wire.ts";

/** Models and keys with a meaning. Any other is accepted. */
export const UNKNOWN_MODEL = "no-such-model";
export const TINY_WINDOW = "tiny-window";
/** OpenAI's Responses API reports an overflow inside a stream that began with a 200. */
export const TINY_WINDOW_IN_STREAM = "tiny-window-in-stream";
export const BAD_KEY = "bad-key";

export interface IncomingCall {
  readonly wire: Wire;
  readonly model: string;
  readonly streams: boolean;
  readonly headers: Headers;
  readonly url: URL;
  readonly text: string;
  /** {} if the text is not a JSON object. */
  readonly body: JsonObject;
}

export interface VerdictOptions {
  /** False for a local server that needs no key. */
  readonly needsKey?: boolean;
  /** The window of the models with a tiny one. */
  readonly windowCharacters?: number;
  readonly maxBytes?: number;
}

/** The vendor answers with the first problem only. */
export function verdict(call: IncomingCall, options: VerdictOptions, issued: IssuedItems): Problem[] {
  const { wire, model, text, body } = call;
  const speaker = SPEAKERS[wire];
  const limit = options.maxBytes ?? 32 * 1024 * 1024;
  const bytes = Buffer.byteLength(text);
  if (bytes > limit) return [speaker.tooLarge(bytes, limit)];
  const keyProblem = checkKey(wire, call.headers, call.url, options);
  if (keyProblem !== undefined) return [keyProblem];
  const parsed = parseJson(text);
  if (!parsed.ok) return [speaker.notJson(parsed.problem)];
  if (!isJsonObject(parsed.value)) return [speaker.notJson("expected an object")];
  if (model === UNKNOWN_MODEL) return [speaker.unknownModel(model)];
  const headerProblem = speaker.checkHeaders(call.headers);
  if (headerProblem !== undefined) return [headerProblem];
  const window = options.windowCharacters ?? 20_000;
  if (model.startsWith(TINY_WINDOW) && text.length > window) {
    return [speaker.overflow(Math.ceil(text.length / 4), Math.ceil(window / 4))];
  }
  return judge(wire, body, model, issued);
}

export function checkKey(
  wire: Wire,
  headers: Headers,
  url: URL,
  options: VerdictOptions,
): Problem | undefined {
  if (options.needsKey === false) return undefined;
  const speaker = SPEAKERS[wire];
  const key = speaker.keyOf(headers, url);
  if (key === undefined || key === "") return speaker.missingKey;
  return key === BAD_KEY ? speaker.badKey(key) : undefined;
}
