// Limits are enforced: iterations, cost, tokens, time, tool calls, and calls that only repeat themselves.
import { expect, test } from "bun:test";
import { processRequest } from "../../src/app/process-request.ts";
import { newBudget } from "../../src/domain/limits.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import type { ScriptedTurn } from "../../src/models/scripted.ts";
import { outline, scenario, tool } from "../support/scenario.ts";

let step = 0;
const work: ScriptedTurn = [
  { call: "t" },
  { usage: { requestTokens: 1000, responseTokens: 100, cachedTokens: 0 } },
];
const next = tool("t", "read", () => `step ${++step}`);

test("max_iterations leads to a notice, one last model call without tools, and the outcome limit", async () => {
  const run = scenario((request) => (request.toolChoice !== "none" ? work : [{ text: "so far" }]), [next], {
    loop: { maxIterations: 3 },
  });
  const { outcome, messages, events } = await run.ask("go");
  expect(outcome).toMatchObject({ type: "limit", reached: { limit: "iterations", allowed: 3, spent: 3 } });
  expect(run.requests.length).toBe(4);
  expect(run.requests.map((request) => request.toolChoice)).toEqual([
    undefined,
    undefined,
    undefined,
    "none",
  ]);
  expect(outline(messages)).toEndWith("return:t(completed) | text");
  expect(checkHistory(messages)).toEqual([]);
  expect(events.find((event) => event.type === "notice")?.text).toContain("the limit of 3 model calls");
  expect(run.manager.session.runtime.iterationCount).toBe(4);
});

test("the default is 1,000 model calls", async () => {
  const run = scenario((request) => (request.toolChoice !== "none" ? work : [{ text: "so far" }]), [next]);
  const { outcome } = await run.ask("go");
  expect(outcome.type).toBe("limit");
  expect(run.requests.length).toBe(1_001);
});

test("a last response with tool calls or without text runs nothing and leaves a valid history", async () => {
  for (const last of [work, [], [{ text: '<tool_call>{"name":"t","arguments":{}}</tool_call>' }]]) {
    const run = scenario((request) => (request.toolChoice !== "none" ? work : last), [next], {
      loop: { maxIterations: 1 },
    });
    const { outcome, messages } = await run.ask("go");
    expect(outcome.type).toBe("limit");
    expect(checkHistory(messages)).toEqual([]);
    expect(run.manager.session.runtime.batchCounter).toBe(1);
  }
});

test("a person who continues gets the same number again", async () => {
  const asked: number[] = [];
  const run = scenario((request) => (request.toolChoice !== "none" ? work : [{ text: "end" }]), [next], {
    loop: { maxIterations: 2 },
    askToGoOn: async (reached) => asked.push(reached.spent) < 3,
  });
  const { outcome } = await run.ask("go");
  expect(asked).toEqual([2, 4, 6]);
  expect(outcome).toMatchObject({ type: "limit", reached: { allowed: 6 } });
});

const price = { input: 1000, output: 0, cacheRead: 0 };

test.each([
  ["costDollars", { costDollars: 2 }, 2],
  ["totalTokens", { totalTokens: 3000 }, 3],
  ["toolCalls", { toolCalls: 3 }, 4],
] as const)("%s: calls are not run, the history is closed", async (limit, limits, modelCalls) => {
  const run = scenario(() => work, [next], { budget: newBudget(limits), price });
  const { outcome, messages } = await run.ask("go");
  expect(outcome).toMatchObject({ type: "limit", reached: { limit } });
  expect(run.requests.length).toBe(modelCalls);
  expect(outline(messages)).toEndWith("call:t | return:t(failed) | interrupted");
  expect(checkHistory(messages)).toEqual([]);
});

test("wall time excludes the time spent waiting for a person", async () => {
  const run = scenario(() => [{ delayMs: 1000 }, ...work], [next], {
    budget: newBudget({ wallMs: 2500 }),
    permit: async (_call, _tool, signal) => {
      await run.clock.sleep(3_600_000, signal);
      return { type: "allow" };
    },
  });
  const { outcome } = await run.ask("go");
  expect(outcome).toMatchObject({ type: "limit", reached: { limit: "wallMs" } });
  expect(run.requests.length).toBe(3);
});

test("a notice says that a cost limit can't be enforced without a price", async () => {
  const limits = { budget: newBudget({ costDollars: 1 }) };
  const told = async (more: object) => {
    const { events } = await scenario([[{ text: "ok" }]], [], { ...limits, ...more }).ask("go");
    return events.filter((event) => event.type === "notice").map((event) => event.text);
  };
  expect(await told({})).toEqual([expect.stringContaining("the limit on cost can't stop it")]);
  expect(await told({ price: { input: 0, output: 0, cacheRead: 0 } })).toEqual([]);
});

test("a budget continues in the next request", async () => {
  const run = scenario(() => work, [next], { budget: newBudget({ toolCalls: 2 }) });
  await run.ask("go");
  const before = run.requests.length;
  const { outcome } = await run.ask("again");
  expect(outcome.type).toBe("limit");
  expect(run.requests.length).toBe(before + 1);
});

test("the same call with the same result leads to a remark after three times and ends after six", async () => {
  const run = scenario(() => [{ call: "same", args: { a: 1 } }], [tool("same", "read", () => "same")]);
  const { outcome, messages } = await run.ask("go");
  expect(outcome).toMatchObject({ type: "limit", reached: { limit: "repeatedCalls", allowed: 6 } });
  expect(run.requests.length).toBe(6);
  expect(
    outline(messages)
      .split(" | ")
      .filter((message) => message.includes("remark")),
  ).toEqual(["return:same(completed) remark"]);
  expect(checkHistory(messages)).toEqual([]);
});

test("a result too long for the conversation counts as the same although it is kept in a new file", async () => {
  const run = scenario(() => [{ call: "big" }], [tool("big", "read", () => "z".repeat(60_000))]);
  expect((await run.ask("go")).outcome).toMatchObject({ type: "limit", reached: { limit: "repeatedCalls" } });
  expect(run.requests.length).toBe(6);
});

test("a long result with another end is another result", async () => {
  let n = 0;
  const big = tool("big", "read", () => `${"z".repeat(60_000)} ${n++} ...] end`);
  const run = scenario((_request, call) => (call < 10 ? [{ call: "big" }] : [{ text: "ok" }]), [big]);
  expect((await run.ask("go")).outcome.type).toBe("completed");
});

test("another image is another result", async () => {
  let shots = 0;
  const look = tool("look", "read", () => ({
    content: [{ type: "image", mediaType: "image/png", data: `${shots++}` }],
  }));
  const run = scenario((_request, call) => (call < 10 ? [{ call: "look" }] : [{ text: "ok" }]), [look]);
  expect((await run.ask("go")).outcome.type).toBe("completed");
});

test("the same call with changing results may continue", async () => {
  const run = scenario((_request, call) => (call < 10 ? work : [{ text: "ok" }]), [next]);
  expect((await run.ask("go")).outcome.type).toBe("completed");
});

test("processRequest returns on limit", async () => {
  const run = scenario(() => work, [next], { loop: { maxIterations: 1 } });
  expect((await processRequest("go", run.model, run.manager)).outcome.type).toBe("limit");
});
