// A model as the loop sees it: a request in, a stream of events out. Vendors live behind this port.
import type { JsonObject } from "../base/json.ts";
import type { ModelName } from "./ids.ts";
import type { FinishReason, Message } from "./message.ts";
import type { ResponsePart } from "./part.ts";
import type { ToolSpec } from "./tool.ts";
import type { Price, Usage } from "./usage.ts";

export interface Model {
  readonly name: ModelName;
  /** Tokens that fit, prompt and answer together; undefined if unknown. */
  readonly contextWindow?: number;
  /** The most tokens it writes in one answer, if that is known. */
  readonly maxOutput?: number;
  readonly price?: Price;
  /** One call. Throws a ProviderError where the vendor fails; retries before an answer show as retry-wait. */
  readonly stream: (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;
  /** Forgets cached connections, after an abort or a timeout. */
  readonly drop?: () => void;
}

export interface ModelRequest {
  /** Sent with every call and never saved. */
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** none: tools are listed because the history contains calls to them, but they must not be called. */
  readonly toolChoice?: "none";
  readonly maxOutputTokens?: number;
  /** The last answer has to be JSON of this shape. A vendor that can is told so; the loop checks it anyway. */
  readonly outputSchema?: JsonObject;
}

/** Deltas are for showing; the response is made of the finished parts, in their order. */
export type ModelEvent =
  | LiveEvent
  | { readonly type: "part"; readonly part: ResponsePart }
  | { readonly type: "usage"; readonly usage: Usage }
  | {
      readonly type: "finish";
      readonly reason: FinishReason;
      readonly providerName?: string;
      readonly modelName?: string;
    };

/** What a person may see while a call runs. */
export type LiveEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "thought-delta"; readonly text: string }
  /** A call is being written; characters so far. */
  | { readonly type: "call-delta"; readonly toolName: string; readonly characters: number }
  | {
      readonly type: "retry-wait";
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason: string;
      /** Set if the answer broke off: what has arrived stays, and it is continued at most this many times. */
      readonly mostAttempts?: number;
    }
  /** Nothing has arrived for `sinceMs`. Says what is awaited, and after how much silence the call is given up. */
  | {
      readonly type: "waiting";
      readonly awaited: string;
      readonly sinceMs: number;
      readonly deadlineMs: number;
    };
