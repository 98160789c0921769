// The shapes that scripts read: the result object of json and the event lines of stream-json. They are in snake_case,
// stable, and published as docs/schema/result.schema.json.
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { AgentEvent, Outcome } from "../domain/event.ts";
import type { ChangedBy, FileChange } from "../domain/file-change.ts";
import type { ReachedLimit } from "../domain/limits.ts";
import { wasUnasked } from "../domain/tool-details.ts";
import type { UsageTotals } from "../domain/usage.ts";
import { encodeMessages } from "../session/stored-message.ts";
import type { RunAnswer, RunError, RunRecord } from "./run-record.ts";

export interface RunResult extends RunRecord, RunAnswer {
  /** Null when the session was not saved. */
  readonly sessionId: string | null;
  readonly requestId: string;
  /** Null when the run failed before a model was chosen. */
  readonly model: string | null;
  readonly durationMs: number;
  readonly worktree?: {
    readonly name: string;
    readonly path: string;
    readonly branch: string;
    /** False: it had no changes and is gone. */
    readonly kept: boolean;
  };
  /** Absent only on success. */
  readonly error?: RunError;
}

export function encodeResult(result: RunResult): JsonObject {
  return {
    success: result.error === undefined,
    outcome: result.outcome.type,
    output: result.output,
    ...(result.structured !== undefined && { structured_output: result.structured }),
    session_id: result.sessionId,
    request_id: result.requestId,
    model: result.model,
    ...(result.standIn !== null && { answered_by: result.standIn.name }),
    usage: encodeUsage(result.usage),
    tool_calls: result.toolCalls.map(({ toolName: tool, args, status, durationMs, toolCallId }) => {
      return { tool, args, status, duration_ms: durationMs, tool_call_id: toolCallId };
    }),
    denials: result.denials.map(({ toolName: tool, args, toolCallId, reason }) => {
      return { tool, args, tool_call_id: toolCallId, reason };
    }),
    messages: encodeMessages(result.messages),
    repairs: result.repairs.map(encodeRepair),
    ...(result.worktree !== undefined && { worktree: { ...result.worktree } }),
    duration_ms: Math.round(result.durationMs),
    ...(result.error !== undefined && { error: { ...result.error } }),
  };
}

/** `type` is the first key. */
export function encodeEvent(event: AgentEvent): JsonObject {
  const { type } = event;
  switch (type) {
    case "request-start":
      return { type, request_id: event.requestId, model: event.model };
    case "node-start":
      return { type, iteration: event.iteration };
    case "text-delta":
    case "thought-delta":
    case "thought":
      return { type, text: event.text };
    case "call-delta":
      return { type, tool_name: event.toolName, characters: event.characters };
    case "message-end":
      return { type, message: encodeMessages([event.message])[0] ?? null };
    case "batch-start": {
      const calls = event.calls.map((call) => call.toolCallId);
      return { type, batch: event.batch, label: event.label, tool_call_ids: calls };
    }
    case "review-start":
      return { type, tool_call_id: event.toolCallId, tool_name: event.toolName, call: event.call };
    case "review": {
      const { toolCallId, toolName, call, verdict, reason, model } = event.review;
      return { type, tool_call_id: toolCallId, tool_name: toolName, call, verdict, reason, model };
    }
    case "tool-start": {
      const { toolCallId, toolName, args, hasEffects } = event;
      return { type, tool_call_id: toolCallId, tool_name: toolName, args, has_effects: hasEffects };
    }
    case "tool-progress":
      return { type, tool_call_id: event.toolCallId, text: event.text };
    case "tool-end": {
      const { toolCallId, toolName, args, status, durationMs } = event;
      const unasked = wasUnasked(event.result.details);
      const answer = encodeMessages([{ kind: "request", parts: [event.result] }])[0];
      const names = { tool_call_id: toolCallId, tool_name: toolName, args, status };
      return { type, ...names, duration_ms: durationMs, unasked, result: firstPart(answer) };
    }
    case "usage":
      return { type, ...encodeUsage(event.call) };
    case "model-change":
      return { type, model: event.model, chosen: event.chosen, reason: event.reason };
    case "notice":
      return { type, text: event.text };
    case "retry-wait":
      return {
        ...{ type, attempt: event.attempt, delay_ms: Math.round(event.delayMs), reason: event.reason },
        ...(event.mostAttempts !== undefined && { most_attempts: event.mostAttempts }),
      };
    case "waiting": {
      const { awaited, sinceMs, deadlineMs } = event;
      return { type, awaited, since_ms: sinceMs, deadline_ms: deadlineMs };
    }
    case "repair":
      return { type, repairs: event.repairs.map(encodeRepair) };
    case "compaction": {
      const { tokensBefore, tokensAfter, summary } = event;
      return { type, tokens_before: tokensBefore, tokens_after: tokensAfter, summary };
    }
    case "simpler-form":
      return { type, provider: event.form.provider, left_out: event.form.leftOut, count: event.form.count };
    case "files-changed":
      return { type, by: encodeChangedBy(event.by), changes: event.changes.map(encodeFileChange) };
    case "restored": {
      const { restoreId, scope, takesBack, backTo, remark } = event.restore;
      return { type, restore_id: restoreId, scope, takes_back: takesBack, back_to: backTo, remark };
    }
    case "request-end":
      return { type, ...encodeOutcome(event.outcome) };
  }
}

function encodeChangedBy(by: ChangedBy): JsonObject {
  switch (by.type) {
    case "call":
      return { type: by.type, tool_call_id: by.toolCallId };
    case "restore":
      return { type: by.type, restore_id: by.restoreId };
    case "other":
      return { type: by.type };
  }
}

export function encodeFileChange({ path, before, after }: FileChange): JsonObject {
  return { path, before: { ...before }, after: { ...after } };
}

function encodeOutcome(outcome: Outcome): JsonObject {
  switch (outcome.type) {
    case "failed":
      return { outcome: outcome.type, error: { code: outcome.code, message: outcome.message } };
    case "limit":
      return { outcome: outcome.type, limit: encodeLimit(outcome.reached) };
    case "timed-out":
      return { outcome: outcome.type, seconds: outcome.seconds };
    default:
      return { outcome: outcome.type };
  }
}

function encodeLimit({ limit, ...figures }: ReachedLimit): JsonObject {
  return { name: limit.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), ...figures };
}

/** A cost that is not known, not even of one call among many, is null. */
export function encodeUsage(usage: UsageTotals): JsonObject {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    cached_tokens: usage.cachedTokens,
    cost: usage.unpriced ? null : usage.cost,
    ...(usage.estimated && { estimated: true }),
  };
}

function encodeRepair({ kind, at, kept, why }: RunRecord["repairs"][number]): JsonObject {
  return { kind, at, kept, why };
}

function firstPart(message: JsonValue | undefined): JsonValue {
  const parts = typeof message === "object" && message !== null && "parts" in message ? message["parts"] : [];
  return Array.isArray(parts) ? (parts[0] ?? null) : null;
}
