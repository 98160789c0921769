// Folds one event of the agent into what the screen shows.
import { stripTerminalControls } from "../../base/terminal-text.ts";
import { type AgentEvent, type Outcome, standInOf } from "../../domain/event.ts";
import { explainLimit } from "../../domain/limits.ts";
import { INTERRUPTED, type Message, visibleText } from "../../domain/message.ts";
import { describeReview, shortCall } from "../../domain/review.ts";
import { describeCall } from "../../domain/tool.ts";
import { addUsage } from "../../domain/usage.ts";
import { pendingTool, promptEntry, settledTool, summedUp, type ToolEntry } from "./entry.ts";
import { addText, addThought, closeAnswer, closeThought } from "./fold-answer.ts";
import {
  countChanged,
  type RunningRequest,
  withActivity,
  withChanges,
  withGeneration,
  withoutGeneration,
} from "./running-request.ts";
import { changeEntries, type ViewState, withEntries, withNotice } from "./view-state.ts";

/** How much live output of a running tool is kept; its result has all of it. */
const MAX_PROGRESS = 4_000;
/** Routine repairs, which need no action. */
const QUIET_REPAIRS = new Set(["pruned-return", "run-id", "system-part", "blank-part"]);

export function foldEvent(state: ViewState, event: AgentEvent, now: number): ViewState {
  switch (event.type) {
    case "request-start":
      return { ...state, model: { ...state.model, name: event.model }, standIn: null };
    case "node-start":
      return withRequest(state, (running) => ({
        ...withActivity(running, "Waiting for the model", now),
        streamed: false,
        goesOn: false,
        characters: 0,
      }));
    case "text-delta":
      return withDelta(addText(closeThought(state, now), event.text), "Writing", event.text, now);
    case "thought-delta":
      return withDelta(addThought(state, event.text, now), "Thinking", event.text, now);
    case "call-delta":
      return withRequest(state, (running) => ({
        ...withGeneration(running, `Preparing ${event.toolName}`, now),
        characters: event.characters,
      }));
    case "message-end":
      return endMessage(state, event.message, now);
    case "batch-start": {
      const entries = event.calls.map((call, index) =>
        pendingTool(call, event.descriptions[index] ?? describeCall(undefined, call)),
      );
      return withEntries(closeAnswer(state, now), entries);
    }
    case "review-start":
      return withRequest(state, (running) =>
        withActivity(running, `Reviewing: ${shortCall(event.call)}`, now),
      );
    case "review":
      return withNotice(state, "quiet", describeReview(event.review));
    case "tool-start":
      return startTool(state, event, now);
    case "tool-progress":
      return changeTool(state, event.toolCallId, (tool) => ({
        ...tool,
        progress: (tool.progress + stripTerminalControls(event.text)).slice(-MAX_PROGRESS),
      }));
    case "tool-end":
      return endTool(state, event);
    case "usage":
      return addCallUsage(state, event);
    case "model-change":
      return { ...state, standIn: standInOf(event) };
    case "notice":
      return withNotice(state, "warning", event.text);
    case "retry-wait":
      return withRequest(brokenOff(state, event, now), (running) => ({
        ...withActivity(withoutGeneration(running, now), "Waiting for the model", now),
        goesOn: running.goesOn || event.mostAttempts !== undefined,
        retry: { ...event, until: now + event.delayMs, reason: stripTerminalControls(event.reason) },
      }));
    case "waiting":
      return withRequest(state, (running) => ({
        ...running,
        retry: null,
        waiting: { ...event, since: now - event.sinceMs },
      }));
    case "repair": {
      const told = event.repairs.filter(({ kind }) => !QUIET_REPAIRS.has(kind));
      return told.reduce((next, { why }) => withNotice(next, "quiet", `Repaired: ${why}`), state);
    }
    case "compaction": {
      const { tokensBefore: before, tokensAfter: after, summary } = event;
      const next = { ...state, contextTokens: after };
      if (summary !== null)
        return withEntries(next, [summedUp({ kind: "summed-up", summary, tokens: { before, after } })]);
      const counts = [before, after].map((tokens) => tokens.toLocaleString("en-US")).join(" → ");
      return withNotice(next, "info", `Old tool returns were shortened or cleared: ${counts} tokens`);
    }
    case "thought":
    // A notice has said it.
    case "simpler-form":
    // The desk tells how the conversation is from then on.
    case "restored":
      return state;
    case "files-changed":
      if (event.by.type !== "call") return state;
      return withRequest(state, (running) => withChanges(running, event.changes));
    case "request-end":
      return endRequest(state, event.outcome, now);
  }
}

function withRequest(state: ViewState, change: (request: RunningRequest) => RunningRequest): ViewState {
  return state.request === null ? state : { ...state, request: change(state.request) };
}

function withDelta(state: ViewState, activity: string, text: string, now: number): ViewState {
  return withRequest(state, (running) => ({
    ...withGeneration(running, activity, now),
    streamed: true,
    characters: running.characters + text.length,
  }));
}

function addCallUsage(state: ViewState, { call, byTool }: Extract<AgentEvent, { type: "usage" }>): ViewState {
  const { promptTokens, completionTokens } = call;
  // What a subagent or a summary sent says nothing about how full the conversation's own window is.
  const contextTokens = byTool === true ? state.contextTokens : promptTokens + completionTokens;
  return withRequest({ ...state, usage: addUsage(state.usage, call), contextTokens }, (running) => ({
    ...running,
    characters: 0,
    usage: addUsage(running.usage, call),
  }));
}

/** What was shown stays, and the answer stays open for what is to come: it is the last thing on the screen. */
function brokenOff(
  state: ViewState,
  { reason, mostAttempts }: Extract<AgentEvent, { type: "retry-wait" }>,
  now: number,
): ViewState {
  if (mostAttempts === undefined) return state;
  const told = withNotice(closeThought(state, now), "quiet", `The answer broke off and goes on: ${reason}`);
  return addText(told, "");
}

function endMessage(state: ViewState, message: Message, now: number): ViewState {
  const { request } = state;
  if (message.kind === "request") {
    if (request?.promptPending) return { ...state, request: { ...request, promptPending: false } };
    const steered = message.parts.flatMap((part) =>
      part.kind === "user-prompt" ? [promptEntry(part.content, now, true)] : [],
    );
    return withEntries(state, steered);
  }
  const text = visibleText(message);
  const isUnseen = request === null || !request.streamed;
  const shown = isUnseen && !text.startsWith(INTERRUPTED) ? addText(state, text) : state;
  return withRequest(closeAnswer(shown, now), (running) => ({
    ...withoutGeneration(running, now),
    streamed: false,
  }));
}

function startTool(
  state: ViewState,
  event: Extract<AgentEvent, { type: "tool-start" }>,
  now: number,
): ViewState {
  const { toolCallId, toolName, args } = event;
  const started = changeTool(state, toolCallId, (tool) => ({
    ...tool,
    status: "running",
    startedAt: now,
    args,
  }));
  return withRequest({ ...started, lastAction: toolName }, (running) =>
    withActivity(running, `Running ${toolName}`, now),
  );
}

function endTool(state: ViewState, event: Extract<AgentEvent, { type: "tool-end" }>): ViewState {
  const { toolCallId, status, durationMs, result } = event;
  const known = state.transcript.live.some(
    (entry) => entry.kind === "tool" && entry.toolCallId === toolCallId,
  );
  const shown = known ? state : withEntries(state, [pendingTool(event, describeCall(undefined, event))]);
  const ended = changeTool(shown, toolCallId, (tool) => ({
    ...settledTool(tool, { ...result, status }),
    durationMs,
    // A call that was interrupted may have no other output.
    progress: status === "cancelled" ? tool.progress : "",
  }));
  const { details } = result;
  if (details?.type !== "edit" || state.editedFiles.includes(details.path)) return ended;
  return { ...ended, editedFiles: [...state.editedFiles, details.path] };
}

function changeTool(state: ViewState, id: string, change: (tool: ToolEntry) => ToolEntry): ViewState {
  return changeEntries(state, (entry) =>
    entry.kind === "tool" && entry.toolCallId === id ? { ...entry, ...change(entry) } : entry,
  );
}

function endRequest(state: ViewState, outcome: Outcome, now: number): ViewState {
  const { request } = state;
  const told = tellOutcome({ ...closeAnswer(state, now), request: null, questions: [] }, outcome);
  if (request === null) return told;
  const { startedAt, usage, generatingMs } = request;
  const end = { usage, generatingMs, durationMs: now - startedAt, changedFiles: countChanged(request) };
  return withEntries(told, [{ kind: "turn-end", ...end }]);
}

function tellOutcome(state: ViewState, outcome: Outcome): ViewState {
  switch (outcome.type) {
    case "completed":
      return state;
    case "limit":
      return withNotice(state, "warning", explainLimit(outcome.reached));
    case "aborted":
      return withNotice(state, "warning", `Stopped. ${KEPT}`);
    case "timed-out":
      return tellKept(
        withNotice(state, "error", `Stopped: the request took longer than ${outcome.seconds} s.`),
      );
    case "failed":
      return tellKept(withNotice(state, "error", outcome.message));
  }
}

const KEPT = "Everything up to here is kept; say how to go on.";

/** If nothing was shown since the prompt, nothing could have been lost. */
function tellKept(state: ViewState): ViewState {
  const entries = [...state.transcript.done, ...state.transcript.live];
  const prompt = entries.findLastIndex((entry) => entry.kind === "prompt" && !entry.steered);
  const isSomethingShown = entries.slice(prompt + 1).some(({ kind }) => kind === "answer" || kind === "tool");
  return isSomethingShown ? withNotice(state, "info", KEPT) : state;
}
