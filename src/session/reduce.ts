// The only place that changes a session's state: by the events of a request, and by the few things that happen outside
// of one.
import type { Content } from "../domain/content.ts";
import { type AgentEvent, standInOf } from "../domain/event.ts";
import { untoldAfter } from "../domain/file-change.ts";
import type { ModelName, RequestId, SessionId } from "../domain/ids.ts";
import { addWork } from "../domain/limits.ts";
import { hasUserPrompt, type Message } from "../domain/message.ts";
import { addUsage } from "../domain/usage.ts";
import type { SessionState } from "./state.ts";

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };
type Changeable = Writable<Omit<SessionState, "runtime" | "usage">> & {
  readonly runtime: Writable<SessionState["runtime"]>;
  readonly usage: Writable<SessionState["usage"]>;
};

/** Comes before anyone else sees the event, so that everybody finds it in the conversation. */
export function reduceEvent(session: Changeable, event: AgentEvent): void {
  const { runtime, usage } = session;
  session.conversation.fold(event);
  switch (event.type) {
    case "request-start":
      runtime.requestId = event.requestId;
      runtime.currentIteration = 0;
      runtime.iterationCount = 0;
      runtime.batchCounter = 0;
      runtime.consecutiveEmptyResponses = 0;
      runtime.standIn = null;
      session.currentModel = event.model;
      break;
    case "model-change":
      runtime.standIn = standInOf(event);
      break;
    case "node-start":
      runtime.currentIteration = event.iteration;
      runtime.iterationCount = event.iteration;
      break;
    case "batch-start":
      runtime.batchCounter = event.batch;
      break;
    case "notice":
      if (event.emptyResponses !== undefined) runtime.consecutiveEmptyResponses = event.emptyResponses;
      break;
    case "message-end":
      if (event.message.kind === "response") runtime.consecutiveEmptyResponses = 0;
      // They went with the prompt.
      if (hasUserPrompt(event.message)) session.untold = [];
      break;
    case "restored":
      session.untold = untoldAfter(event.restore, session.untold);
      session.lastModified = event.restore.at;
      break;
    case "usage":
      if (event.byTool !== true) usage.lastCall = event.call;
      usage.sessionTotal = addUsage(usage.sessionTotal, event.call);
      break;
    case "review":
      session.reviews = [...session.reviews, event.review];
      break;
    case "request-end":
      if (event.work !== undefined) session.work = addWork(session.work, event.work);
      session.lastModified = new Date().toISOString();
      break;
    default:
      break;
  }
}

/** From here on, messages from outside wait for the end of the request. */
export function beginRequest(
  session: Changeable,
  request: { readonly requestId: RequestId; readonly model: ModelName; readonly prompt: Content },
): void {
  const { requestId, model, prompt } = request;
  reduceEvent(session, { type: "request-start", requestId, model });
  session.runtime.toolRegistry.clear();
  session.task = { originalQuery: typeof prompt === "string" ? prompt : JSON.stringify(prompt) };
}

/** Adds a message from outside a request: it joins the conversation now, or when the running request is over. */
export function addMessage({ conversation }: SessionState, message: Message): void {
  conversation.fold({ type: "addition", message });
}

export function setModel(session: Changeable, name: ModelName): void {
  session.currentModel = name;
  session.runtime.standIn = null;
}

export function setTitle(session: Changeable, title: string): void {
  session.title = title;
}

export function touch(session: Changeable, at: string): void {
  session.lastModified = at;
}

/** Another window has taken the session over; this one goes on under a new id. */
export function setSessionId(session: Changeable, sessionId: SessionId): void {
  session.sessionId = sessionId;
}
