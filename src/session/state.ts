// What a session is while it runs. Changed by session/reduce alone, from the same events the journal gets.
import type { JsonObject } from "../base/json.ts";
import type { ModelName, RequestId, SessionId } from "../domain/ids.ts";
import { NO_WORK, type Work } from "../domain/limits.ts";
import type { Message } from "../domain/message.ts";
import { ToolCallRegistry } from "../domain/tool-call-registry.ts";
import { NO_USAGE, type UsageTotals } from "../domain/usage.ts";

export interface SessionState {
  /** Changes when another window took the session over and this one goes on in a fork. */
  sessionId: SessionId;
  readonly projectId: string;
  readonly createdAt: string;
  readonly workingDirectory: string;
  lastModified: string;
  currentModel: ModelName;
  /** From the first prompt, or the person's own. */
  title: string;
  readonly conversation: Conversation;
  readonly usage: { lastCall: UsageTotals; sessionTotal: UsageTotals };
  /** All requests together, so that limits count on after a resume. */
  work: Work;
  readonly runtime: Runtime;
  readonly task: { originalQuery: string };
  /** Keys of a loaded file that we don't know; written back. */
  readonly extra?: JsonObject;
}

export interface Conversation {
  /** A message is never changed; the array grows, or a rewrite replaces it. */
  messages: Message[];
  readonly thoughts: string[];
  /** Estimate: characters of the history / 4. */
  totalTokens: number;
}

/** Counters of the request that runs, reset by each. */
export interface Runtime {
  requestId: RequestId;
  currentIteration: number;
  iterationCount: number;
  batchCounter: number;
  consecutiveEmptyResponses: number;
  readonly toolRegistry: ToolCallRegistry;
}

export interface NewSession {
  readonly sessionId: SessionId;
  readonly projectId: string;
  readonly workingDirectory: string;
  readonly model: ModelName;
  readonly now: string;
}

export function newSessionState(session: NewSession): SessionState {
  return {
    sessionId: session.sessionId,
    projectId: session.projectId,
    createdAt: session.now,
    lastModified: session.now,
    workingDirectory: session.workingDirectory,
    currentModel: session.model,
    title: "",
    conversation: { messages: [], thoughts: [], totalTokens: 0 },
    usage: { lastCall: NO_USAGE, sessionTotal: NO_USAGE },
    work: NO_WORK,
    runtime: {
      requestId: "",
      currentIteration: 0,
      iterationCount: 0,
      batchCounter: 0,
      consecutiveEmptyResponses: 0,
      toolRegistry: new ToolCallRegistry(),
    },
    task: { originalQuery: "" },
  };
}
