// Limits are enforced: iterations, cost, tokens, time, tool calls, and calls that only repeat themselves.
import { expect, test } from "bun:test";
import { processRequest } from "../../src/app/process-request.ts";
import { newBudget } from "../../src/domain/limits.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
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
  ["costDollars", { costDollars: 1.9 }, 1],
  ["totalTokens", { totalTokens: 3000 }, 2],
] as const)(
  "%s: a call that would pass it is not made, and the history is closed",
  async (limit, limits, calls) => {
    const run = scenario(() => work, [next], { budget: newBudget(limits), price });
    const { outcome, messages } = await run.ask("go");
    expect(outcome).toMatchObject({ type: "limit", reached: { limit, needed: expect.any(Number) } });
    expect(run.requests.length).toBe(calls);
    expect(run.manager.ports.budget.spent[limit]).toBeLessThan(limits[limit as keyof typeof limits]);
    expect(outline(messages)).toEndWith("call:t | return:t(completed) | interrupted");
    expect(checkHistory(messages)).toEqual([]);
  },
);

test("toolCalls: calls are not run, the history is closed", async () => {
  const run = scenario(() => work, [next], { budget: newBudget({ toolCalls: 3 }) });
  const { outcome, messages } = await run.ask("go");
  expect(outcome).toMatchObject({ type: "limit", reached: { limit: "toolCalls" } });
  expect(run.requests.length).toBe(4);
  expect(outline(messages)).toEndWith("call:t | return:t(failed) | interrupted");
  expect(checkHistory(messages)).toEqual([]);
});

test("the limit on the length of an answer is lowered to what is left", async () => {
  const usage = { requestTokens: 20, responseTokens: 100, cachedTokens: 0 };
  const run = scenario(() => [{ call: "t" }, { usage }], [next], {
    budget: newBudget({ totalTokens: 1_000 }),
    maxOutput: 600,
  });
  await run.ask("go");
  const caps = run.requests.map(({ maxOutputTokens }) => maxOutputTokens);
  expect(caps[0]).toBeUndefined();
  const lowered = caps.filter((cap) => cap !== undefined);
  expect(lowered.length).toBeGreaterThan(1);
  for (const [at, cap] of lowered.entries()) expect(cap).toBeWithin(256, lowered[at - 1] ?? 600);
});

test("an answer whose usage nobody reported is estimated where there is a limit", async () => {
  const limited = scenario(() => [{ call: "t" }], [next], { budget: newBudget({ totalTokens: 1_000 }) });
  const { outcome } = await limited.ask("go");
  expect(outcome).toMatchObject({ type: "limit", reached: { limit: "totalTokens" } });
  expect(limited.manager.session.usage.sessionTotal.estimated).toBe(true);
  const free = scenario([[{ text: "ok" }]]);
  await free.ask("go");
  expect(free.manager.session.usage.sessionTotal.promptTokens).toBe(0);
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

const same = tool("same", "read", () => "same");
const sameCall: ScriptedTurn = [{ call: "same", args: { a: 1 } }];
const orSumUp = (turn: ScriptedTurn) => (request: ModelRequest) =>
  request.toolChoice === "none" ? [{ text: "so far" }] : turn;

test("the same call with the same result in 3 responses leads to a remark, in 10 the model has to sum up", async () => {
  const run = scenario(orSumUp(sameCall), [same]);
  const { outcome, messages, events } = await run.ask("go");
  expect(outcome).toMatchObject({
    type: "limit",
    reached: { limit: "repeatedCalls", allowed: 10, spent: 10 },
  });
  expect(run.requests.length).toBe(11);
  expect(run.requests.at(-1)?.toolChoice).toBe("none");
  const remarked = outline(messages).split(" | ").indexOf("return:same(completed) remark");
  expect(messages.slice(0, remarked).filter(({ kind }) => kind === "response").length).toBe(3);
  expect(outline(messages).match(/remark/g)).toHaveLength(1);
  expect(outline(messages)).toEndWith("return:same(completed) | text");
  expect(events.find((event) => event.type === "notice")?.text).toContain("10 responses in a row");
  expect(checkHistory(messages)).toEqual([]);
});

test("where there is a person, they are asked after 10, and yes starts the count anew", async () => {
  const asked: string[] = [];
  const run = scenario(orSumUp(sameCall), [same], {
    askToGoOn: async ({ limit, spent }) => asked.push(`${limit} ${spent}`) < 3,
  });
  const { outcome } = await run.ask("go");
  expect(asked).toEqual(["repeatedCalls 10", "repeatedCalls 10", "repeatedCalls 10"]);
  expect(outcome).toMatchObject({ type: "limit", reached: { limit: "repeatedCalls" } });
  expect(run.requests.length).toBe(31);
});

test("identical calls in one response are one: the model sees their results and answers", async () => {
  const six = Array.from({ length: 6 }, () => sameCall).flat();
  const run = scenario([six, six, [{ text: "done" }]], [same]);
  const { outcome, messages } = await run.ask("go");
  expect(outcome.type).toBe("completed");
  expect(outline(messages)).not.toContain("remark");
  const seen = run.requests.at(-1)?.messages ?? [];
  expect(outline(seen).match(/return:same/g)).toHaveLength(12);
});

test("one new call, or one new result, beside a repeated one is progress", async () => {
  const poll: ScriptedTurn = [...sameCall, { call: "t" }];
  const run = scenario((_request, call) => (call < 30 ? poll : [{ text: "ok" }]), [same, next]);
  const { outcome, messages } = await run.ask("go");
  expect(outcome.type).toBe("completed");
  expect(outline(messages)).not.toContain("remark");
});

test("fewer calls than before, all of them with the same results, are no progress", async () => {
  const both: ScriptedTurn = [...sameCall, { call: "same", args: { a: 2 } }];
  const run = scenario(
    (request, call) => (request.toolChoice === "none" ? [{ text: "end" }] : call === 0 ? both : sameCall),
    [same],
  );
  expect((await run.ask("go")).outcome).toMatchObject({ type: "limit", reached: { limit: "repeatedCalls" } });
  expect(run.requests.length).toBe(11);
});

test("a result too long for the conversation counts as the same although it is kept in a new file", async () => {
  const run = scenario(orSumUp([{ call: "big" }]), [tool("big", "read", () => "z".repeat(60_000))]);
  expect((await run.ask("go")).outcome).toMatchObject({ type: "limit", reached: { limit: "repeatedCalls" } });
  expect(run.requests.length).toBe(11);
});

test("a long result with another end is another result", async () => {
  let n = 0;
  const big = tool("big", "read", () => `${"z".repeat(60_000)} ${n++} ...] end`);
  const run = scenario((_request, call) => (call < 20 ? [{ call: "big" }] : [{ text: "ok" }]), [big]);
  expect((await run.ask("go")).outcome.type).toBe("completed");
});

test("another image is another result", async () => {
  let shots = 0;
  const look = tool("look", "read", () => ({
    content: [{ type: "image", mediaType: "image/png", data: `${shots++}` }],
  }));
  const run = scenario((_request, call) => (call < 20 ? [{ call: "look" }] : [{ text: "ok" }]), [look]);
  expect((await run.ask("go")).outcome.type).toBe("completed");
});

test("polling whose output changes may go on for ever", async () => {
  const run = scenario((_request, call) => (call < 100 ? work : [{ text: "ok" }]), [next]);
  expect((await run.ask("go")).outcome.type).toBe("completed");
});

test("processRequest returns on limit", async () => {
  const run = scenario(() => work, [next], { loop: { maxIterations: 1 } });
  expect((await processRequest("go", run.model, run.manager)).outcome.type).toBe("limit");
});
