// What the server has to know about a wire format: how to judge a request, refuse it, and answer it.
import type { JsonObject } from "../../../src/base/json.ts";
import type { IssuedItems } from "./issued-items.ts";
import type { Answer, StreamFailure } from "./turn.ts";

export type Wire = "openai-chat" | "openai-responses" | "anthropic" | "google";

export const WIRES: readonly Wire[] = ["openai-chat", "openai-responses", "anthropic", "google"];

/** Something a vendor rejects. The message has the vendor's wording, and the default status is 400. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  readonly status?: number;
  /** OpenAI's `code`, Google's `reason`. */
  readonly code?: string;
}

export interface JudgeContext {
  readonly model: string;
  readonly issued: IssuedItems;
}

/** Everything wrong with a body, in the order the vendor would find it. */
export type Grammar = (body: JsonObject, context: JudgeContext) => Iterable<Problem>;

export interface ReplyContext {
  readonly model: string;
  readonly request: JsonObject;
  readonly issued: IssuedItems;
}

export interface Speaker {
  readonly grammar: Grammar;
  /** The credentials of a request, or undefined. */
  readonly keyOf: (headers: Headers, url: URL) => string | undefined;
  /** Headers that the vendor requires besides the key. */
  readonly checkHeaders: (headers: Headers) => Problem | undefined;
  readonly missingKey: Problem;
  readonly badKey: (key: string) => Problem;
  readonly unknownModel: (model: string) => Problem;
  readonly overflow: (tokens: number, window: number) => Problem;
  readonly notJson: (reason: string) => Problem;
  readonly tooLarge: (bytes: number, limit: number) => Problem;
  /** The vendor's error body. */
  readonly errorBody: (problem: Problem, status: number) => JsonObject;
  /** Server-sent events, each with its blank line, with "\n" as line end. */
  readonly stream: (answer: Answer, context: ReplyContext) => string[];
  readonly whole: (answer: Answer, context: ReplyContext) => JsonObject;
  /** An error inside a stream that began well. */
  readonly streamFailure: (failure: StreamFailure) => string;
  readonly lineEnd: "\n" | "\r\n";
}
