// The line that says what the request is doing, after each event.
import { expect, test } from "bun:test";
import type { AgentEvent } from "../domain/event.ts";
import { type Activity, activityAfter, describeActivity } from "./activity.ts";
import { CallLabels, callLabel } from "./call-labels.ts";

const start = (id: string, command: string): AgentEvent => ({
  type: "tool-start",
  toolCallId: id,
  toolName: "bash",
  args: { command },
  hasEffects: true,
});
const end = (id: string): AgentEvent => ({
  type: "tool-end",
  toolCallId: id,
  toolName: "bash",
  args: {},
  status: "completed",
  result: { kind: "tool-return", toolCallId: id, toolName: "bash", content: "" },
  durationMs: 1,
});
const batch = (id: string, subject: string): AgentEvent => ({
  type: "batch-start",
  batch: 1,
  calls: [{ kind: "tool-call", toolCallId: id, toolName: "bash", args: {} }],
  descriptions: [{ label: { verb: "Run", subject }, resultStyle: "tail" }],
  label: "bash",
});
const progress = (id: string, text: string): AgentEvent => ({ type: "tool-progress", toolCallId: id, text });

test.each<[string, AgentEvent[]]>([
  ["starting", []],
  ["asking a:b", [{ type: "request-start", requestId: "r", model: "a:b" }]],
  ["answering", [{ type: "text-delta", text: "x" }]],
  ["thinking", [{ type: "thought-delta", text: "x" }]],
  ["preparing bash (12 characters)", [{ type: "call-delta", toolName: "bash", characters: 12 }]],
  ["bash npm test", [start("1", "npm test")]],
  ["Run npm test", [batch("1", "npm test"), start("1", "npm test")]],
  ["bash npm test: 2 passed", [start("1", "npm test"), progress("1", "1 passed\n2 passed\n")]],
  ["bash npm test and 1 more", [start("1", "npm test"), start("2", "ls")]],
  ["bash ls", [start("1", "npm test"), start("2", "ls"), end("1")]],
  ["asking the model", [start("1", "npm test"), end("1")]],
  [
    "trying again in 1.5 s (attempt 2): busy",
    [{ type: "retry-wait", attempt: 2, delayMs: 2_500, reason: "busy" }],
  ],
  [
    "going on in 1.5 s (attempt 2 of 3): reset",
    [{ type: "retry-wait", attempt: 2, mostAttempts: 3, delayMs: 2_500, reason: "reset" }],
  ],
  [
    "waiting for the first byte since 11.0 s, at most 5 min 0 s",
    [{ type: "waiting", awaited: "the first byte", sinceMs: 10_000, deadlineMs: 300_000 }],
  ],
])("%s", (expected, events) => {
  const labels = new CallLabels();
  let activity: Activity = { type: "starting" };
  for (const event of events) {
    labels.take(event);
    activity = activityAfter(activity, event, 0, labels.labelOf);
  }
  expect(describeActivity(activity, 1_000)).toBe(expected);
});

test.each<[string, Parameters<typeof callLabel>[1]]>([
  ["tool", {}],
  ["tool", { limit: 3, text: " " }],
  ["tool src/a.ts", { limit: 3, filepath: "src/a.ts" }],
  ["tool first", { command: "first\nsecond" }],
  [`tool ${"x".repeat(60)}…`, { command: "x".repeat(100) }],
])("a call is labelled %j", (expected, args) => expect(callLabel("tool", args)).toBe(expected));
