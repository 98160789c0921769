// research_codebase: a subagent on the same loop, with a history of its own; its cost counts, its parent's abort ends it.
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAgent } from "../../src/app/compose.ts";
import { runRequest } from "../../src/app/run-request.ts";
import { createResearch } from "../../src/app/subagent.ts";
import { UserAbortError } from "../../src/domain/error.ts";
import { newBudget } from "../../src/domain/limits.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { type ScriptedTurn, scriptedModel } from "../../src/models/scripted.ts";
import { researchCodebase } from "../../src/tools/research-codebase.ts";
import { boundTool } from "../support/bound-tool.ts";
import { ticks } from "../support/loop-cases.ts";
import { outline, type Scenario, scenario, tool } from "../support/scenario.ts";

const usage = { requestTokens: 100, responseTokens: 10, cachedTokens: 0 };
const price = { input: 10, output: 0, cacheRead: 0 };

/** A parent that asks for research once; `research` is the subagent's script. */
function withResearch(
  research: readonly ScriptedTurn[],
  given: Parameters<typeof scenario>[2] = {},
): Scenario {
  let step = 0;
  const run: Scenario = scenario(
    (request) => {
      if (request.system.startsWith("You research"))
        return research[step++] ?? [{ text: "found it" }, { usage }];
      const last = request.messages.at(-1);
      const returned = last?.parts.some((part) => part.kind === "tool-return");
      return returned
        ? [{ text: "done" }, { usage }]
        : [{ call: "research_codebase", args: { query: "where is x?" } }, { usage }];
    },
    [
      boundTool(researchCodebase, {
        workspace: { root: "/p", cwd: () => "/p", setCwd: () => {} },
        research: createResearch({
          model: async () => run.model,
          agent: () => run.manager.ports,
          instructions: async () => "Instructions from AGENTS.md:\n\nSay please.",
        }),
      }),
      tool("grep", "read", () => "src/x.ts:1", { isOffered: () => true }),
      tool("bash", "write", () => "never"),
    ],
    { price, ...given },
  );
  return run;
}

test("it has only the read-only tools and its own history, and its answer is the return", async () => {
  const run = withResearch([[{ call: "grep", args: { pattern: "x" } }, { usage }]]);
  const { messages, events } = await run.ask("go");
  expect(outline(messages)).toBe(
    "prompt | call:research_codebase | return:research_codebase(completed) | text",
  );
  expect(messages[2]?.parts[0]).toMatchObject({ content: "found it" });
  const asked = run.requests.filter((request) => request.system.startsWith("You research"));
  expect(asked.map((request) => request.tools.map((spec) => spec.name))).toEqual([["grep"], ["grep"]]);
  expect(outline(asked[1]?.messages ?? [])).toBe("prompt | call:grep | return:grep(completed)");
  expect(events.some((event) => event.type === "tool-progress" && event.text === "Search x\n")).toBe(true);
  expect(asked.every(({ system }) => system.endsWith("\n\nSay please."))).toBe(true);
});

test("the person's instructions and the project's go with its prompt, as an edit left them", async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "tunacode-subagent-")));
  const cwd = join(home, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(join(home, ".config/tunacode"), { recursive: true });
  writeFileSync(join(home, ".config/tunacode/AGENTS.md"), "Answer in Welsh.");
  writeFileSync(join(cwd, "AGENTS.md"), "Use tabs.");
  const systems: string[] = [];
  const agent = await openAgent({
    cwd,
    env: { HOME: home },
    session: { type: "none" },
    models: {
      scripted: scriptedModel({
        turns: [
          [{ call: "research_codebase", args: { query: "x" } }],
          [{ text: "found" }],
          [{ text: "end" }],
        ],
        onRequest: ({ system }) => systems.push(system),
      }),
    },
    permission: { mode: "yolo", rules: [], sandbox: "off" },
    trusted: false,
    notify: () => {},
  });
  for await (const _event of runRequest("go", "demo:script", agent.manager));
  await agent.close();
  rmSync(home, { recursive: true });
  expect(systems).toHaveLength(3);
  expect(systems[1]).toStartWith("You research");
  for (const system of systems)
    for (const words of ["Answer in Welsh.", "Use tabs."]) expect(system).toContain(words);
});

test("a review of one of its calls, and what that cost, are told as events of the parent", async () => {
  const review = {
    toolCallId: "a",
    toolName: "grep",
    call: "grep x",
    verdict: "allow",
    reason: "fine",
    model: "m",
  } as const;
  const cost = { promptTokens: 7, completionTokens: 1, cachedTokens: 0, cost: 0 };
  const run = withResearch([[{ call: "grep", args: { pattern: "x" } }]], {
    permit: async ({ toolName }, _tool, _signal, tell) => {
      if (toolName === "grep") tell?.({ type: "usage", call: cost, byTool: true });
      if (toolName === "grep") tell?.({ type: "review", review });
      return { type: "allow" };
    },
  });
  const { events } = await run.ask("go");
  expect(run.manager.session.reviews).toEqual([review]);
  expect(events).toContainEqual({ type: "usage", call: cost, byTool: true });
  expect(events.findIndex(({ type }) => type === "review")).toBeLessThan(
    events.findIndex(({ type }) => type === "tool-end"),
  );
});

test("what a stopped review has cost is told, and the call doesn't run", async () => {
  const cost = { promptTokens: 7, completionTokens: 1, cachedTokens: 0, cost: 0 };
  const controller = new AbortController();
  const run = scenario(() => [{ call: "write", args: {} }], [tool("write", "write", () => "never")], {
    permit: (_call, _tool, signal, tell) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", async () => {
          for (let tick = 0; tick < 20; tick++) await Promise.resolve();
          tell?.({ type: "usage", call: cost, byTool: true });
          reject(new Error("aborted"));
        });
        controller.abort(new UserAbortError());
      }),
  });
  const { events, outcome } = await run.ask("go", { controller });
  expect(outcome.type).toBe("aborted");
  expect(events).toContainEqual({ type: "usage", call: cost, byTool: true });
  expect(events.some(({ type }) => type === "tool-start")).toBe(false);
});

test("the limit on the length of a response applies to it as to its parent", async () => {
  const run = withResearch([], { loop: { maxOutputTokens: 7 } });
  await run.ask("go");
  expect(run.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([7, 7, 7]);
});

test("its cost counts for the session, though not as the conversation's last call", async () => {
  const run = withResearch([[{ call: "grep" }, { usage }]]);
  await run.ask("go");
  expect(run.manager.session.usage.sessionTotal.promptTokens).toBe(400);
  expect(run.manager.session.usage.lastCall.promptTokens).toBe(100);
  expect(run.manager.ports.budget.spent.totalTokens).toBe(440);
});

test("what it does counts towards the limits", async () => {
  const run = withResearch([[{ call: "grep" }, { usage }]], { budget: newBudget({ toolCalls: 1 }) });
  const { messages } = await run.ask("go");
  expect(JSON.stringify(messages)).toContain("cut short by a limit");
});

test("its calls are among those that a session remembers", async () => {
  const { events } = await withResearch([[{ call: "grep" }, { usage }]]).ask("go");
  expect(events.at(-1)).toMatchObject({ type: "request-end", work: { toolCalls: 2 } });
});

test("if it fails, its parent reads why", async () => {
  const run = withResearch([[{ fail: new Error("no vendor") }]]);
  const { messages, outcome } = await run.ask("go");
  expect(outcome.type).toBe("completed");
  expect(messages[2]?.parts[0]).toMatchObject({
    status: "failed",
    content: expect.stringContaining("no vendor"),
  });
});

test("the parent's abort ends it, and the history is valid", async () => {
  const run = withResearch([[{ hang: true }]]);
  const controller = new AbortController();
  const asking = run.ask("go", { controller });
  await ticks(300);
  controller.abort(new UserAbortError());
  const { messages, outcome } = await asking;
  expect(outcome.type).toBe("aborted");
  expect(outline(messages)).toBe(
    "prompt | call:research_codebase | return:research_codebase(cancelled) | interrupted",
  );
  expect(checkHistory(messages)).toEqual([]);
});

test("the time a person takes to answer one of its questions counts against no deadline", async () => {
  const run = withResearch([[{ call: "grep" }, { usage }]], {
    loop: { requestTimeoutSeconds: 60 },
    permit: async (call) => {
      // Longer than the request may take, and longer than the research may.
      if (call.toolName === "grep") await run.clock.sleep(45 * 60_000);
      return { type: "allow" };
    },
  });
  const { outcome } = await run.ask("go");
  expect(outcome.type).toBe("completed");
});

test("a person's stop on one of its calls stops the request", async () => {
  const run = withResearch([[{ call: "grep" }, { usage }]], {
    permit: async (call) => (call.toolName === "grep" ? { type: "stop" } : { type: "allow" }),
  });
  const { outcome } = await run.ask("go");
  expect(outcome.type).toBe("aborted");
});
