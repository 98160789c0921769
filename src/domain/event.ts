// What happens during a request, in order. Screens, callbacks and the journal are all clients of this stream.
import { defined } from "../base/defined.ts";
import type { JsonObject } from "../base/json.ts";
import type { ErrorCode } from "./error.ts";
import type { ChangedBy, FileChange, RestoreFacts } from "./file-change.ts";
import type { ModelName, RequestId, ToolCallId } from "./ids.ts";
import type { ReachedLimit, Work } from "./limits.ts";
import type { Message } from "./message.ts";
import type { LiveEvent } from "./model.ts";
import type { ReturnStatus, ToolCallPart, ToolReturnPart } from "./part.ts";
import type { Repair } from "./repair.ts";
import type { Review } from "./review.ts";
import type { SimplerForm } from "./simpler-form.ts";
import type { CallDescription } from "./tool.ts";
import type { UsageTotals } from "./usage.ts";

export type AgentEvent =
  | { readonly type: "request-start"; readonly requestId: RequestId; readonly model: ModelName }
  /** A model call begins. */
  | { readonly type: "node-start"; readonly iteration: number }
  | LiveEvent
  /** A whole message joins the conversation. Durable: it is on disk before the next event is asked for. */
  | { readonly type: "message-end"; readonly message: Message }
  /** The reasoning of a response, kept in the session's list of thoughts. */
  | { readonly type: "thought"; readonly text: string }
  /** A batch of calls is about to run: up to 3 names, then "...". */
  | {
      readonly type: "batch-start";
      readonly batch: number;
      readonly calls: readonly ToolCallPart[];
      /** How each of them is shown. */
      readonly descriptions: readonly CallDescription[];
      readonly label: string;
    }
  /** In the mode auto: a model is asked whether the call may run. */
  | ({ readonly type: "review-start" } & Pick<Review, "toolCallId" | "toolName" | "call">)
  /** Its answer. Written before the call runs. */
  | { readonly type: "review"; readonly review: Review }
  /** Permission is given and the call runs now. Durable for tools with effects. */
  | {
      readonly type: "tool-start";
      readonly toolCallId: ToolCallId;
      readonly toolName: string;
      readonly args: JsonObject;
      readonly hasEffects: boolean;
    }
  | { readonly type: "tool-progress"; readonly toolCallId: ToolCallId; readonly text: string }
  /** Exactly once per registered call. Written at once, and synced with the message that takes up the results. */
  | {
      readonly type: "tool-end";
      readonly toolCallId: ToolCallId;
      readonly toolName: string;
      readonly args: JsonObject;
      readonly status: ReturnStatus;
      readonly result: ToolReturnPart;
      readonly durationMs: number | null;
    }
  /** What a call, or somebody else meanwhile, changed on disk. Comes when it is known, before the next write call. */
  | {
      readonly type: "files-changed";
      readonly by: ChangedBy;
      readonly changes: readonly FileChange[];
      /** The project's folder then, to which their paths are relative: a session can be resumed in another project. */
      readonly root?: string;
    }
  /** Between requests: a person took something back. `messages` is the conversation from here on. Durable. */
  | { readonly type: "restored"; readonly restore: RestoreFacts; readonly messages: readonly Message[] }
  /** Another model than the chosen one answers from here on, or the chosen one again. */
  | {
      readonly type: "model-change";
      readonly model: ModelName;
      readonly contextWindow?: number;
      readonly chosen: ModelName;
      /** Why the model before it can't answer. Null: it is still resting, or the chosen one is tried again. */
      readonly reason: string | null;
    }
  /** byTool: for a subagent, a summary or a review, not for a call of the conversation itself. */
  | { readonly type: "usage"; readonly call: UsageTotals; readonly byTool?: boolean }
  /** emptyResponses: how many came in a row, if the notice is about one. */
  | { readonly type: "notice"; readonly text: string; readonly emptyResponses?: number }
  /** The history was rewritten; unchanged messages are the same objects. Durable. */
  | { readonly type: "repair"; readonly repairs: readonly Repair[]; readonly messages: readonly Message[] }
  | {
      readonly type: "compaction";
      readonly messages: readonly Message[];
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** null: old returns were cleared and nothing was summarised. */
      readonly summary: string | null;
    }
  /** A vendor took the conversation in a simpler form, and gets it in that form from here on. Durable. */
  | { readonly type: "simpler-form"; readonly form: SimplerForm }
  /** Always last. Durable. */
  | { readonly type: "request-end"; readonly outcome: Outcome; readonly work?: Work };

/** How a request ended, as data instead of an exception. */
export type Outcome =
  | { readonly type: "completed" }
  | { readonly type: "limit"; readonly reached: ReachedLimit }
  | { readonly type: "aborted" }
  | { readonly type: "timed-out"; readonly seconds: number }
  | { readonly type: "failed"; readonly code: ErrorCode; readonly message: string; readonly error: unknown };

/** A model that answers in place of the chosen one. */
export interface StandIn {
  readonly name: ModelName;
  readonly contextWindow?: number;
}

/** Null: the chosen model answers itself. */
export function standInOf(change: Extract<AgentEvent, { type: "model-change" }>): StandIn | null {
  const { model: name, chosen, contextWindow } = change;
  return name === chosen ? null : { name, ...defined({ contextWindow }) };
}
