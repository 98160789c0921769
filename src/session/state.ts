// What a session is while it runs. Only session/reduce changes it, from the same events that the journal gets.
import type { JsonObject } from "../base/json.ts";
import { Conversation } from "../domain/conversation.ts";
import type { StandIn } from "../domain/event.ts";
import type { ModelName, RequestId, SessionId } from "../domain/ids.ts";
import { NO_WORK, type Work } from "../domain/limits.ts";
import type { Review } from "../domain/review.ts";
import { ToolCallRegistry } from "../domain/tool-call-registry.ts";
import { NO_USAGE, type UsageTotals } from "../domain/usage.ts";

export interface SessionState {
  /** Changes when another window took the session over and this one goes on in a fork. */
  readonly sessionId: SessionId;
  readonly projectId: string;
  readonly createdAt: string;
  readonly workingDirectory: string;
  readonly lastModified: string;
  readonly currentModel: ModelName;
  /** From the first prompt, or chosen by the person. */
  readonly title: string;
  readonly conversation: Conversation;
  readonly usage: { readonly lastCall: UsageTotals; readonly sessionTotal: UsageTotals };
  /** The sum over all requests, so that limits still apply after a resume. */
  readonly work: Work;
  /** What a model answered in the person's place, oldest first. */
  readonly reviews: readonly Review[];
  /** What the model is told with the next prompt: files are no longer as the conversation has them. */
  readonly untold: readonly string[];
  readonly runtime: Runtime;
  readonly task: { readonly originalQuery: string };
  /** Keys of a loaded file that we don't know; they are written back. */
  readonly extra?: JsonObject;
}

/** Counters of the running request; each request resets them. */
export interface Runtime {
  readonly requestId: RequestId;
  readonly currentIteration: number;
  readonly iterationCount: number;
  readonly batchCounter: number;
  readonly consecutiveEmptyResponses: number;
  readonly toolRegistry: ToolCallRegistry;
  /** Stays after the request, for as long as nobody asks the chosen model again. */
  readonly standIn: StandIn | null;
}

interface NewSession {
  readonly sessionId: SessionId;
  readonly projectId: string;
  readonly workingDirectory: string;
  readonly model: ModelName;
  readonly now: string;
}

export function newSessionState({ model, now, ...place }: NewSession): SessionState {
  return {
    ...place,
    createdAt: now,
    lastModified: now,
    currentModel: model,
    title: "",
    conversation: new Conversation(),
    usage: { lastCall: NO_USAGE, sessionTotal: NO_USAGE },
    work: NO_WORK,
    reviews: [],
    untold: [],
    runtime: {
      requestId: "",
      currentIteration: 0,
      iterationCount: 0,
      batchCounter: 0,
      consecutiveEmptyResponses: 0,
      toolRegistry: new ToolCallRegistry(),
      standIn: null,
    },
    task: { originalQuery: "" },
  };
}
