// Says in words what a request is doing right now.
import type { AgentEvent } from "../domain/event.ts";
import type { ToolCallId } from "../domain/ids.ts";
import { shortCall } from "../domain/review.ts";
import type { LabelledCall } from "./call-labels.ts";
import { seconds } from "./figures.ts";

export type Activity =
  | { readonly type: "starting" | "thinking" | "answering" }
  | { readonly type: "asking"; readonly model: string }
  | { readonly type: "calling"; readonly toolName: string; readonly characters: number }
  | { readonly type: "reviewing"; readonly call: string }
  | { readonly type: "running"; readonly calls: ReadonlyMap<ToolCallId, RunningCall> }
  | {
      readonly type: "retrying";
      readonly at: number;
      readonly attempt: number;
      readonly mostAttempts?: number;
      readonly reason: string;
    }
  | {
      readonly type: "waiting";
      readonly awaited: string;
      readonly since: number;
      readonly deadlineMs: number;
    };

interface RunningCall {
  readonly label: string;
  readonly progress: string;
}

/**
 * `now` is in milliseconds on any clock, as long as describeActivity gets the same one. `labelOf` names a call that
 * has started.
 */
export function activityAfter(
  activity: Activity,
  event: AgentEvent,
  now: number,
  labelOf: (call: LabelledCall) => string,
): Activity {
  switch (event.type) {
    case "request-start":
      return { type: "asking", model: event.model };
    case "node-start":
      return activity.type === "asking" ? activity : { type: "asking", model: "the model" };
    case "thought-delta":
      return { type: "thinking" };
    case "text-delta":
      return { type: "answering" };
    case "call-delta":
      return { type: "calling", toolName: event.toolName, characters: event.characters };
    case "review-start":
      return activity.type === "running" ? activity : { type: "reviewing", call: shortCall(event.call) };
    case "tool-start": {
      const call = { label: labelOf(event), progress: "" };
      return { type: "running", calls: new Map([...runningCalls(activity), [event.toolCallId, call]]) };
    }
    case "tool-progress": {
      const calls = runningCalls(activity);
      const call = calls.get(event.toolCallId);
      const progress = event.text.trimEnd().split("\n").at(-1) ?? "";
      if (call === undefined || progress === "") return activity;
      return { type: "running", calls: new Map([...calls, [event.toolCallId, { ...call, progress }]]) };
    }
    case "tool-end": {
      const left = new Map([...runningCalls(activity)].filter(([id]) => id !== event.toolCallId));
      return left.size === 0 ? { type: "asking", model: "the model" } : { type: "running", calls: left };
    }
    case "retry-wait":
      return { ...event, type: "retrying", at: now + event.delayMs };
    case "waiting": {
      const { awaited, sinceMs, deadlineMs } = event;
      return { type: "waiting", awaited, since: now - sinceMs, deadlineMs };
    }
    default:
      return activity;
  }
}

export function describeActivity(activity: Activity, now: number): string {
  switch (activity.type) {
    case "starting":
    case "thinking":
    case "answering":
      return activity.type;
    case "asking":
      return `asking ${activity.model}`;
    case "calling":
      return `preparing ${activity.toolName} (${activity.characters} characters)`;
    case "reviewing":
      return `reviewing ${activity.call}`;
    case "running": {
      const [[, { label, progress }] = ["", { label: "", progress: "" }], ...others] = activity.calls;
      const more = others.length === 0 ? "" : ` and ${others.length} more`;
      return `${label}${more}${progress === "" ? "" : `: ${progress}`}`;
    }
    case "retrying": {
      const { attempt, mostAttempts, reason } = activity;
      const left = seconds(Math.max(0, activity.at - now));
      if (mostAttempts === undefined) return `trying again in ${left} (attempt ${attempt}): ${reason}`;
      return `going on in ${left} (attempt ${attempt} of ${mostAttempts}): ${reason}`;
    }
    case "waiting":
      return `waiting for ${activity.awaited} since ${seconds(now - activity.since)}, at most ${seconds(activity.deadlineMs)}`;
  }
}

function runningCalls(activity: Activity): ReadonlyMap<ToolCallId, RunningCall> {
  return activity.type === "running" ? activity.calls : new Map();
}
