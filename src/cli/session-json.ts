// Sessions as scripts read them. The keys are those of the session file.
import type { JsonObject } from "../base/json.ts";
import type { ReadSession } from "../session/open.ts";
import type { SessionSummary } from "../session/store.ts";
import { encodeMessages } from "../session/stored-message.ts";
import { encodeUsage } from "./json.ts";

export function encodeSummary(summary: SessionSummary): JsonObject {
  const { paths, modifiedMs, title, createdAt, workingDirectory, model } = summary;
  return {
    session_id: paths.sessionId,
    project_id: paths.projectId,
    title,
    model,
    working_directory: workingDirectory,
    created_at: createdAt,
    last_modified: new Date(modifiedMs).toISOString(),
  };
}

export function encodeSession(session: ReadSession): JsonObject {
  const { state, report, unsentPrompt } = session;
  return {
    session_id: state.sessionId,
    project_id: state.projectId,
    title: state.title,
    model: state.currentModel,
    working_directory: state.workingDirectory,
    created_at: state.createdAt,
    last_modified: state.lastModified,
    usage: encodeUsage(state.usage.sessionTotal),
    messages: encodeMessages(state.conversation.messages),
    /** True when the last message is a prompt that was never answered. */
    unanswered: unsentPrompt !== undefined,
    repairs: [...report.notes, ...report.repairs].map(({ kind, why }) => ({ kind, why })),
  };
}
