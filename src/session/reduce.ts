// Folds a request's events into the session. The run's own messages join it at the end, in front of what
// others appended meanwhile.
import type { AgentEvent } from "../domain/event.ts";
import { addWork } from "../domain/limits.ts";
import { addUsage } from "../domain/usage.ts";
import type { SessionState } from "./state.ts";

export function reduceEvent(session: SessionState, event: AgentEvent): void {
  const { conversation, runtime, usage } = session;
  switch (event.type) {
    case "request-start":
      runtime.requestId = event.requestId;
      runtime.currentIteration = 0;
      runtime.iterationCount = 0;
      runtime.batchCounter = 0;
      runtime.consecutiveEmptyResponses = 0;
      session.currentModel = event.model;
      break;
    case "node-start":
      runtime.currentIteration = event.iteration;
      runtime.iterationCount = event.iteration;
      break;
    case "batch-start":
      runtime.batchCounter = event.batch;
      break;
    case "thought":
      conversation.thoughts.push(event.text);
      break;
    case "notice":
      if (event.emptyResponses !== undefined) runtime.consecutiveEmptyResponses = event.emptyResponses;
      break;
    case "message-end":
      if (event.message.kind === "response") runtime.consecutiveEmptyResponses = 0;
      break;
    case "usage":
      if (event.byTool !== true) usage.lastCall = event.call;
      usage.sessionTotal = addUsage(usage.sessionTotal, event.call);
      break;
    case "request-end":
      if (event.work !== undefined) session.work = addWork(session.work, event.work);
      break;
    default:
      break;
  }
}
