// The situations a request can be in, for the abort and failure tests. Each is created anew for every run.
import { ProviderError, ToolError, WireGateError } from "../../src/domain/error.ts";
import type { Scenario } from "./scenario.ts";
import { scenario, tool } from "./scenario.ts";

/** Yields to the microtask queue, so that there are moments to abort at. */
export async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await null;
}

const quick = () => [
  tool("look", "read", async ({ n }) => {
    await ticks(3);
    return `saw ${n ?? ""}`;
  }),
  tool("dig", "research", async (_args, context) => {
    context.progress("digging");
    await ticks(4);
    return "found";
  }),
  tool("edit", "write", async ({ n }) => {
    await ticks(2);
    return `edited ${n ?? ""}`;
  }),
];

const usage = { requestTokens: 10, responseTokens: 5, cachedTokens: 0 };

export const LOOP_CASES: Record<string, () => Scenario> = {
  "a plain answer": () => scenario([[{ text: "one two three four", deltas: 6 }, { usage }]]),
  "thoughts, text and a call": () =>
    scenario(
      [
        [{ thought: "hm" }, { text: "I look", deltas: 3 }, { call: "look", args: { n: 1 } }, { usage }],
        [{ text: "done", deltas: 2 }],
      ],
      quick(),
    ),
  "a mixed batch": () =>
    scenario(
      [
        [
          { call: "edit", args: { n: 1 } },
          { call: "look" },
          { call: "dig" },
          { call: "look" },
          { call: "edit", args: { n: 2 } },
        ],
        [{ text: "done", deltas: 4 }],
      ],
      quick(),
    ),
  "five rounds": () =>
    scenario(
      (_request, call) =>
        call < 5
          ? [
              { text: `round ${call}`, deltas: 2 },
              { call: "edit", args: { n: call } },
            ]
          : [{ text: "end" }],
      quick(),
    ),
  "calls written as text": () =>
    scenario(
      [
        [{ text: 'Now:\n<tool_call>{"name":"look","arguments":{}}</tool_call>', deltas: 3 }],
        [{ text: "ok" }],
      ],
      quick(),
    ),
  "empty responses": () =>
    scenario([[], [{ thought: "still thinking" }], [{ text: "at last", deltas: 2 }]], quick()),
  "a call cut off": () =>
    scenario(
      [
        [{ text: "writing" }, { call: "edit", rawArgs: '{"n": ' }, { finish: "length" }],
        [{ text: "shorter" }],
      ],
      quick(),
    ),
  "bad ids and bad arguments": () =>
    scenario(
      [
        [{ call: "look", id: "" }, { call: "edit", id: "x" }, { call: "edit", id: "x" }, { call: "nope" }],
        [{ text: "ok" }],
      ],
      quick(),
    ),
  "tools that fail": () =>
    scenario(
      [[{ call: "flaky" }, { call: "broken" }, { call: "sad" }], [{ text: "ok" }]],
      [
        tool("flaky", "read", async () => {
          await ticks(2);
          throw new Error("flaky");
        }),
        tool("broken", "write", async () => {
          throw new Error("broken");
        }),
        tool("sad", "read", async () => {
          throw new ToolError("sad");
        }),
      ],
    ),
  "tools that hang": () =>
    scenario(
      [[{ text: "wait" }, { call: "hang" }, { call: "stubborn" }, { call: "look" }], [{ text: "ok" }]],
      [
        ...quick(),
        tool("hang", "read", () => new Promise<string>(() => {}), { deadlineMs: 1000 }),
        tool("stubborn", "write", () => new Promise<string>(() => {}), { deadlineMs: 1000 }),
      ],
    ),
  "a tool with 2 MB of output": () =>
    scenario([[{ call: "big" }], [{ text: "ok" }]], [tool("big", "read", async () => "x".repeat(2_000_000))]),
  "a refusal and questions": () =>
    scenario([[{ call: "look" }, { call: "edit" }], [{ text: "ok" }]], quick(), {
      permit: async (call) => {
        await ticks(3);
        return call.toolName === "edit" ? { type: "deny", reason: "no" } : { type: "allow" };
      },
    }),
  "a limit": () =>
    scenario(
      (request) =>
        request.toolChoice !== "none" ? [{ call: "look", args: { n: 1 } }] : [{ text: "sum", deltas: 2 }],
      quick(),
      { loop: { maxIterations: 2 } },
    ),
  "the same call again and again": () => scenario(() => [{ call: "look", args: { n: 1 } }], quick()),
  "an overflow": () =>
    scenario((_request, call) =>
      call === 0
        ? [{ fail: new ProviderError("context_overflow", "too long") }]
        : [{ text: "short", deltas: 2 }],
    ),
  "a wire gate violation": () =>
    scenario((_request, call) =>
      call === 0 ? [{ fail: new WireGateError(["messages[3]: no result"]) }] : [{ text: "mended" }],
    ),
  "compaction in the middle of a turn": () =>
    scenario(
      (request, call) =>
        request.tools.length === 0
          ? [{ text: "SUMMARY" }]
          : call < 8
            ? [{ call: "long", args: { n: call } }]
            : [{ text: "ok" }],
      [tool("long", "read", async ({ n }) => `${n} ${"lorem ".repeat(300)}`)],
      { contextWindow: 1200 },
    ),
  steering: () => scenario([[{ call: "look" }], [{ text: "ok" }]], quick()),
};
