// Folds events and compares what is shown, in a one-line notation.
import { describe, expect, test } from "bun:test";
import type { AgentEvent } from "../../domain/event.ts";
import type { FrontEventBody } from "../../front/contract.ts";
import { fold } from "./fold.ts";
import { INITIAL_VIEW, type ViewState } from "./view-state.ts";

const text = (words: string): AgentEvent => ({ type: "text-delta", text: words });
const thought = (words: string): AgentEvent => ({ type: "thought-delta", text: words });
const node: AgentEvent = { type: "node-start", iteration: 1 };
const call = { kind: "tool-call", toolCallId: "1", toolName: "bash", args: {} } as const;
const batch: AgentEvent = { type: "batch-start", batch: 1, calls: [call], descriptions: [], label: "bash" };
const started: AgentEvent = {
  type: "tool-start",
  toolCallId: "1",
  toolName: "bash",
  args: {},
  hasEffects: true,
};
const REFUSED = { type: "refusal", by: "rule" } as const;
const ended: Extract<AgentEvent, { type: "tool-end" }> = {
  type: "tool-end",
  toolCallId: "1",
  toolName: "bash",
  args: {},
  status: "completed",
  result: { kind: "tool-return", toolCallId: "1", toolName: "bash", content: "out" },
  durationMs: 5,
};
const printed: AgentEvent = { type: "tool-progress", toolCallId: "1", text: "so far" };
const response = (content: string): AgentEvent => ({
  type: "message-end",
  message: { kind: "response", parts: [{ kind: "text", content }] },
});
const retry: AgentEvent = { type: "retry-wait", attempt: 1, delayMs: 10, reason: "busy" };
const broken: AgentEvent = { ...retry, mostAttempts: 3 };
const over: AgentEvent = { type: "request-end", outcome: { type: "completed" } };

const take = (state: ViewState, body: FrontEventBody) => fold(state, { ...body, number: 1, at: 0 });

describe("what is shown after", () => {
  const cases: [name: string, events: readonly AgentEvent[], shown: string][] = [
    ["text", [node, text("a")], "prompt / answer:a*"],
    ["closed blocks", [node, text("a\n\nb")], "prompt answer:a / answer:b*"],
    ["a thought before text", [node, thought("t"), text("a")], "prompt thought:t / answer:a*"],
    [
      "a thought after text",
      [node, text("a"), thought("t"), text("b")],
      "prompt answer:a thought:t / answer:b*",
    ],
    ["a whole message", [node, text("a"), response("a")], "prompt answer:a /"],
    ["a message that was not streamed", [node, response("a")], "prompt answer:a /"],
    ["an interruption", [node, text("a"), response("[INTERRUPTED]\n\na")], "prompt answer:a /"],
    ["calls", [node, text("a"), batch], "prompt answer:a / tool:pending"],
    ["a running call", [node, batch, started], "prompt / tool:running"],
    ["a settled call", [node, batch, started, ended], "prompt tool:completed /"],
    [
      "an interrupted call",
      [node, batch, started, printed, { ...ended, status: "cancelled" }],
      "prompt tool:cancelled:so far /",
    ],
    [
      "a refused call",
      [
        node,
        batch,
        { ...ended, status: "failed", result: { ...ended.result, details: REFUSED }, durationMs: null },
      ],
      "prompt tool:refused /",
    ],
    ["a failed call", [node, batch, started, { ...ended, status: "failed" }], "prompt tool:failed /"],
    ["a call that printed something", [node, batch, started, printed, ended], "prompt tool:completed /"],
    ["a call that never started", [node, ended], "prompt tool:completed /"],
    ["a text that breaks off", [node, text("a"), broken], "prompt notice / answer:a*"],
    [
      "a text that breaks off and goes on",
      [node, text("a"), broken, text(" b"), response("a b")],
      "prompt notice answer:a b /",
    ],
    [
      "a text that breaks off and goes on after a thought",
      [node, text("a"), broken, thought("t"), text(" b")],
      "prompt notice thought:t / answer:a b*",
    ],
    [
      "a text that breaks off at its very end",
      [node, text("a"), broken, response("a")],
      "prompt notice answer:a /",
    ],
    ["a retry before any", [node, retry, text("a")], "prompt / answer:a*"],
    ["a sequence cut in two", [node, text("a\u001b[3"), text("1mb")], "prompt / answer:ab*"],
    ["the end", [node, text("a"), response("a"), over], "prompt answer:a turn-end /"],
  ];
  for (const [name, events, shown] of cases)
    test(name, () => {
      const sent = take(INITIAL_VIEW, { type: "prompt-sent", text: "go", attachments: [] });
      const after = events.reduce((state, event) => take(state, { type: "agent", event }), sent);
      expect(outline(after)).toBe(shown);
    });
});

test("the context is that of the conversation's own last call; what a subagent used is only paid for", () => {
  const used = (promptTokens: number, byTool?: true): FrontEventBody => ({
    type: "agent",
    event: {
      type: "usage",
      call: { promptTokens, completionTokens: 10, cachedTokens: 0, cost: 1 },
      ...(byTool && { byTool }),
    },
  });
  const { contextTokens, usage } = [used(100), used(9_000, true)].reduce(take, INITIAL_VIEW);
  expect([contextTokens, usage.promptTokens, usage.cost]).toEqual([110, 9_100, 2]);
});

/** Done entries, a slash, then live ones; an open answer has a star. */
function outline({ transcript: { done, live } }: ViewState): string {
  const words = [done, live].map((entries) =>
    entries.map((entry) => {
      if (entry.kind === "answer") return `answer:${entry.block.text}${entry.open ? "*" : ""}`;
      if (entry.kind === "thought") return `thought:${entry.text}`;
      if (entry.kind !== "tool") return entry.kind;
      return [entry.kind, entry.status, entry.progress].filter((word) => word !== "").join(":");
    }),
  );
  return words
    .map((each) => each.join(" "))
    .join(" / ")
    .trim();
}
