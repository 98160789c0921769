// When a model is overloaded, out of quota or gone, the next one answers, and after ten minutes the chosen one again.

import { expect, test } from "bun:test";
import { type AgentPorts, memoryStateManager } from "../../src/app/agent.ts";
import { compactNow } from "../../src/app/compact.ts";
import { type RequestOptions, runRequest } from "../../src/app/run-request.ts";
import { createResearch } from "../../src/app/subagent.ts";
import { ConfigError, type ErrorCode, ProviderError } from "../../src/domain/error.ts";
import type { AgentEvent } from "../../src/domain/event.ts";
import { newBudget } from "../../src/domain/limits.ts";
import { latestAnswer } from "../../src/domain/message.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { type Script, type ScriptedTurn, scriptedModel } from "../../src/models/scripted.ts";
import { tool } from "../support/scenario.ts";
import { startApp } from "../support/terminal-app.ts";
import { toolContext } from "../support/tool-context.ts";
import { virtualClock } from "../support/virtual-clock.ts";

const MINUTE = 60_000;
const overloaded = new ProviderError("provider_error", "a is overloaded (529).", { status: 529 });
const fails =
  (error: unknown = overloaded) =>
  (): ScriptedTurn => [{ fail: error }];
const says = (text: string) => (): ScriptedTurn => [{ text }];

/** Models by name: what each answers, and with which window and price. The first is the chosen one. */
type Cast = Readonly<Record<string, Script["turns"] | Script>>;

function line(cast: Cast, given: Partial<AgentPorts> = {}) {
  const clock = virtualClock();
  const asked: string[] = [];
  const requests: ModelRequest[] = [];
  const models = new Map(
    Object.entries(cast).map(([name, given]) => {
      const script = "turns" in given ? given : { turns: given };
      const onRequest = (request: ModelRequest) => {
        asked.push(name);
        requests.push(request);
      };
      return [name, scriptedModel({ ...script, name, clock, onRequest })];
    }),
  );
  const [chosen = "", ...others] = models.keys();
  const manager = memoryStateManager({
    createModel: async (name) => {
      const model = models.get(name);
      if (model === undefined) throw new ConfigError(`There is no key for ${name}.`);
      return model;
    },
    clock,
    fallback: others,
    ...given,
  });
  const ask = async (prompt: string, options?: RequestOptions) => {
    const events: AgentEvent[] = [];
    asked.length = 0;
    const running = runRequest(prompt, chosen, manager, options);
    while (true) {
      const next = await running.next();
      if (next.done) {
        expect(checkHistory(manager.session.conversation.messages)).toEqual([]);
        return { outcome: next.value, events, asked: asked.join(" ") };
      }
      events.push(next.value);
    }
  };
  return { manager, clock, ask, requests, chosen };
}

const noticesOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
const changesOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "model-change" ? [event.model] : []));

test.each<[string, ProviderError]>([
  ["overloaded", overloaded],
  ["asking to slow down", failure("rate_limited", 429)],
  ["unpaid", failure("provider_error", 402)],
  ["gone", failure("model_not_found", 404)],
  ["unreachable", failure("provider_unreachable")],
  ["failing inside a stream", failure("provider_error")],
])("a model that is %s is replaced, and both are named with the reason", async (_, error) => {
  const { ask, manager } = line({ "one:a": fails(error), "two:b": says("Here.") });
  const { outcome, events } = await ask("go");
  expect(outcome.type).toBe("completed");
  expect(noticesOf(events)).toEqual([
    `one:a can't answer now: ${error.message} two:b answers in its place; one:a is tried again in 10 minutes.`,
  ]);
  expect(events).toContainEqual({
    type: "model-change",
    model: "two:b",
    chosen: "one:a",
    reason: error.message,
  });
  const { session } = manager;
  expect(session.currentModel).toBe("one:a");
  expect(session.conversation.last).toMatchObject({ kind: "response", modelName: "two:b" });
  expect(session.runtime.standIn).toEqual({ name: "two:b" });
});

test.each<[string, Error]>([
  ["its key is refused", failure("auth", 401)],
  ["it refuses the conversation", failure("provider_error", 400)],
  ["the configuration is wrong", new ConfigError("wrong")],
  ["there is a bug", new TypeError("bug")],
])("the chosen model is not replaced if %s", async (_, error) => {
  const { ask } = line({ "one:a": fails(error), "two:b": says("Here.") });
  const { outcome, asked } = await ask("go");
  expect(outcome).toMatchObject({ type: "failed", error });
  expect(asked).toBe("one:a");
});

test("without models to fall back on, a failure is what it was, and nobody rests", async () => {
  const { ask, manager } = line({ "one:a": [[{ fail: overloaded }], [{ text: "Fine." }]] });
  expect((await ask("go")).outcome).toMatchObject({ type: "failed", error: overloaded });
  expect(manager.ports.restingUntil.size).toBe(0);
  expect(noticesOf((await ask("again")).events)).toEqual([]);
});

test("a chain: the second fails too, whatever its reason, and the third answers", async () => {
  const { ask } = line({
    "one:a": fails(),
    "two:b": fails(failure("auth", 401)),
    "three:c": says("Here."),
  });
  const { outcome, events, asked } = await ask("go");
  expect(outcome.type).toBe("completed");
  expect(asked).toBe("one:a two:b three:c");
  expect(changesOf(events)).toEqual(["two:b", "three:c"]);
});

test("if all fail, the first failure is reported with what was tried, and the next request begins with the first", async () => {
  const { ask, manager } = line({ "one:a": fails(), "two:b": fails(failure("auth", 401)) });
  const { outcome, events } = await ask("go");
  expect(outcome).toMatchObject({ type: "failed", code: "provider_error" });
  const message = outcome.type === "failed" ? outcome.message : "";
  expect(message).toStartWith("one:a: a is overloaded (529).");
  expect(message).toContain("two:b: It failed with auth 401.");
  expect(changesOf(events)).toEqual(["two:b", "one:a"]);
  expect(manager.session.runtime.standIn).toBeNull();
  expect((await ask("again")).asked).toBe("one:a two:b");
});

test("a fall-back model without a key is said, and the next is taken; alone, it is in the error", async () => {
  const cast = { "one:a": fails(), "three:c": says("Here.") };
  const { ask } = line(cast, { fallback: ["two:b", "three:c"] });
  const { outcome, events } = await ask("go");
  expect(outcome.type).toBe("completed");
  expect(noticesOf(events)[0]).toBe("two:b can't be used to fall back on. There is no key for two:b.");
  expect(noticesOf((await ask("again")).events)).toEqual([]);

  const alone = await line({ "one:a": fails() }, { fallback: ["two:b"] }).ask("go");
  const message = alone.outcome.type === "failed" ? alone.outcome.message : "";
  expect(message).toStartWith("one:a: a is overloaded (529).");
  expect(message).toContain("There is no key for two:b.");
});

test("the chosen model rests for ten minutes, also over several requests, and is then tried again", async () => {
  let isWell = false;
  const { ask, clock } = line({
    "one:a": () => (isWell ? [{ text: "Well." }] : [{ fail: overloaded }]),
    "two:b": says("Here."),
  });
  expect((await ask("one")).asked).toBe("one:a two:b");
  await clock.sleep(9 * MINUTE);
  const second = await ask("two");
  expect(second.asked).toBe("two:b");
  // Who answers is data; it was said when it changed.
  expect(changesOf(second.events)).toEqual(["two:b"]);
  expect(noticesOf(second.events)).toEqual([]);
  await clock.sleep(2 * MINUTE);
  expect((await ask("three")).asked).toBe("one:a two:b");
  await clock.sleep(11 * MINUTE);
  isWell = true;
  const last = await ask("four");
  expect(last.asked).toBe("one:a");
  expect(noticesOf(last.events)).toEqual(["one:a answers again."]);
  expect(noticesOf((await ask("five")).events)).toEqual([]);
});

test("a long request goes back to the chosen model as well", async () => {
  const slow = tool("slow", "read", async (_args, { signal }) => {
    await clock.sleep(11 * MINUTE, signal);
    return "done";
  });
  const { ask, clock } = line(
    {
      "one:a": [[{ fail: overloaded }], [{ text: "Well." }]],
      "two:b": [[{ call: "slow" }]],
    },
    { tools: [{ ...slow, deadlineMs: 60 * MINUTE }] },
  );
  const { asked, events } = await ask("go");
  expect(asked).toBe("one:a two:b one:a");
  expect(changesOf(events)).toEqual(["two:b", "one:a"]);
  expect(noticesOf(events).at(-1)).toBe("one:a answers again.");
});

test("an answer that breaks off four times in a row is continued by the next model, each word once", async () => {
  const { ask, manager, requests } = line({
    "one:a": (_request, call) => [{ text: call === 0 ? "Half an answer is" : "answer is" }, { fail: broken }],
    "two:b": says("Half an answer is better than none."),
  });
  const { outcome, events, asked } = await ask("go");
  expect(outcome.type).toBe("completed");
  expect(asked).toBe("one:a one:a one:a one:a two:b");
  expect(JSON.stringify(requests.at(-1)?.messages)).toContain("Half an answer is");
  const answer = "Half an answer is better than none.";
  expect(latestAnswer(manager.session.conversation.messages)).toBe(answer);
  const shown = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
  expect(shown.join("")).toBe(answer);
  expect(manager.session.conversation.last).toMatchObject({ modelName: "two:b" });
  // Nobody is told to try again while that is being done.
  expect(noticesOf(events)).toEqual([
    "one:a can't answer now: It broke. The answer broke off 4 times in a row. two:b answers in its place; one:a is tried again in 10 minutes.",
  ]);
});

const broken = new ProviderError("provider_unreachable", "It broke.", { brokenOff: true });

test("a call written as text that broke off is not completed by way of the next model", async () => {
  const ran: unknown[] = [];
  const bash = tool("bash", "write", ({ command }) => {
    ran.push(command);
    return "ok";
  });
  const { ask, requests } = line(
    {
      "one:a": (_request, call) => [
        {
          text:
            [
              'I look.\n<tool_call>{"name": "bash", "arguments": {"command": "rm -r /tmp',
              '/a"}}</tool_call>',
            ][call] ?? "",
        },
        { fail: broken },
      ],
      "two:b": says("Done."),
    },
    { tools: [bash] },
  );
  const { outcome } = await ask("go");
  expect([outcome.type, ran]).toEqual(["completed", []]);
  expect(JSON.stringify(requests.at(-1)?.messages)).not.toContain("rm -r");
});

test("a model that goes on with another's answer may get the conversation in a simpler form", async () => {
  const { ask, manager } = line({
    "one:a": [
      [{ thought: "Hm." }, { text: "Hello." }],
      [{ text: "Half an answer is" }, { fail: failure("provider_error", 529) }],
    ],
    "two:b": [
      [{ fail: new ProviderError("provider_error", "No thoughts.", { refused: ["thinking"] }) }],
      [{ text: "answer is better than none." }],
    ],
  });
  await ask("hello");
  const { outcome, asked } = await ask("go");
  expect([outcome.type, asked]).toEqual(["completed", "one:a two:b two:b"]);
  expect(latestAnswer(manager.session.conversation.messages)).toBe("Half an answer is better than none.");
  expect(manager.session.conversation.forms).toMatchObject([{ provider: "two", leftOut: ["thinking"] }]);
});

test("a form that is being tried goes on covering what it covered, if room is made for the next model", async () => {
  const long = "word ".repeat(4_000);
  const refused = new ProviderError("provider_error", "No thoughts.", { refused: ["thinking"] });
  const { ask, manager } = line({
    "one:a": {
      turns: [
        [{ thought: "Hm." }, { text: long }],
        [{ thought: "Hm." }, { text: long }],
        [{ thought: "Hm." }, { text: "Yes." }],
        [{ fail: refused }],
        [{ fail: overloaded }],
      ],
      contextWindow: 1_000_000,
    },
    "one:b": {
      turns: ({ system }) => [{ text: system.includes("condense") ? "In short." : "Here." }],
      contextWindow: 8_000,
    },
  });
  for (const prompt of ["one", "two", "three"]) await ask(prompt);
  const { outcome, events } = await ask("four");
  expect([outcome.type, events.some(({ type }) => type === "compaction")]).toEqual(["completed", true]);
  const { forms, messages } = manager.session.conversation;
  // All but the answer, which belongs to it anyway.
  expect(forms).toMatchObject([{ leftOut: ["thinking"], count: messages.length - 1 }]);
});

test("a vendor that refuses the schema of the answer doesn't keep it from the next one", async () => {
  const outputSchema = { type: "object" };
  const { ask, requests } = line({
    "one:a": [[{ fail: failure("provider_error", 400) }], [{ fail: overloaded }]],
    "two:b": says("{}"),
  });
  const { outcome, asked } = await ask("go", { outputSchema });
  expect([outcome.type, asked]).toEqual(["completed", "one:a one:a two:b"]);
  expect(requests.map((request) => request.outputSchema)).toEqual([outputSchema, undefined, outputSchema]);
});

test("each attempt is charged by the price of its own model, and one that is too dear ends the request as a limit", async () => {
  const usage = (requestTokens: number) => ({
    usage: { requestTokens, responseTokens: 10, cachedTokens: 0 },
  });
  const priced = (input: number) => ({ price: { input, output: input, cacheRead: 0 }, maxOutput: 1_000 });
  const cast = (dear: number): Cast => ({
    "one:a": { ...priced(1), turns: () => [{ text: "Half an answer is" }, usage(1_000), { fail: broken }] },
    "two:b": { ...priced(dear), turns: [[{ text: "answer is better than none." }, usage(1_000)]] },
  });
  const ports = () => ({
    budget: newBudget({ costDollars: 0.05 }),
    systemPrompt: async () => "word ".repeat(800),
  });
  const affordable = line(cast(10), ports());
  const { outcome, events } = await affordable.ask("go");
  expect(outcome.type).toBe("completed");
  const costs = events.flatMap((event) => (event.type === "usage" ? [event.call.cost] : []));
  expect(costs).toEqual([0.00101, 0.00101, 0.00101, 0.00101, 0.0101]);
  expect(affordable.manager.ports.budget.spent.costDollars).toBeCloseTo(0.01414, 9);
  expect(affordable.manager.session.usage.sessionTotal.cost).toBeCloseTo(0.01414, 9);

  const dear = line(cast(1_000), ports());
  const stopped = await dear.ask("go");
  expect(stopped.outcome).toMatchObject({ type: "limit", reached: { limit: "costDollars" } });
  expect(stopped.asked).toBe("one:a one:a one:a one:a");
  expect(latestAnswer(dear.manager.session.conversation.messages)).toContain("Half an answer is");
});

test("a request that has to sum up falls back, too", async () => {
  const look = tool("look", "read", () => "seen");
  const { ask, manager } = line(
    { "one:a": [[{ call: "look" }], [{ fail: overloaded }]], "two:b": says("Summed up.") },
    { tools: [look], loop: { maxIterations: 1 } },
  );
  const { outcome, asked } = await ask("go");
  expect([outcome.type, asked]).toEqual(["limit", "one:a one:a two:b"]);
  expect(latestAnswer(manager.session.conversation.messages)).toBe("Summed up.");
});

test("a fall-back model that turns out too small is passed over, at the next request and at an overflow", async () => {
  const grown = line({
    "one:a": fails(),
    "two:b": { turns: says("Here."), contextWindow: 2_000 },
    "three:c": says("There."),
  });
  expect((await grown.ask("go")).asked).toBe("one:a two:b");
  const next = await grown.ask("word ".repeat(4_000));
  expect([next.outcome.type, next.asked]).toEqual(["completed", "three:c"]);

  const tooLong = new ProviderError("context_overflow", "Too long.", { status: 400 });
  const overflowing = line({
    "one:a": [[{ text: "word ".repeat(200) }], [{ text: "word ".repeat(200) }], [{ fail: overloaded }]],
    "two:b": fails(tooLong),
    "three:c": says("There."),
  });
  for (let round = 0; round < 2; round++) await overflowing.ask("word ".repeat(200));
  const { outcome, asked } = await overflowing.ask("go");
  expect(outcome.type).toBe("completed");
  expect(asked).toBe("one:a two:b two:b three:c");
});

test("a smaller window, another price and a limit on cost that can't hold apply from then on", async () => {
  const usage = { requestTokens: 1_000_000, responseTokens: 0, cachedTokens: 0 };
  const long = "word ".repeat(8_000);
  const { ask, manager } = line(
    {
      "one:a": {
        turns: [[{ text: long }], [{ text: long }], [{ fail: overloaded }]],
        contextWindow: 1_000_000,
      },
      "two:b": {
        turns: ({ system }) =>
          system.includes("condense") ? [{ text: "Long words." }] : [{ usage }, { text: "Here." }],
        contextWindow: 16_000,
        price: { input: 3, output: 15, cacheRead: 0 },
      },
      "three:c": says("never"),
    },
    { budget: newBudget({ costDollars: 100 }) },
  );
  await ask("one");
  await ask("two");
  const { outcome, events } = await ask("three");
  expect(outcome.type).toBe("completed");
  const compaction = events.findIndex(({ type }) => type === "compaction");
  expect(compaction).toBeGreaterThan(events.findIndex(({ type }) => type === "model-change"));
  expect(manager.session.usage.lastCall.cost).toBeCloseTo(3);

  const unpriced = line(
    { "one:a": { turns: fails(), price: { input: 1, output: 1, cacheRead: 0 } }, "two:b": says("Here.") },
    { budget: newBudget({ costDollars: 100 }) },
  );
  expect(noticesOf((await unpriced.ask("go")).events).at(-1)).toStartWith("What two:b costs is not known");
});

test("a fall-back model that the conversation doesn't fit into is passed over", async () => {
  const long = "word ".repeat(40_000);
  const { ask } = line({
    "one:a": { turns: fails(), contextWindow: 1_000_000 },
    "two:b": { turns: says("never"), contextWindow: 1_000 },
    "three:c": says("Here."),
  });
  const { outcome, asked } = await ask(long);
  expect(outcome.type).toBe("completed");
  expect(asked).toBe("one:a three:c");
});

test("a subagent falls back, and what it found out about the models holds for the agent", async () => {
  const { manager, ask } = line({ "one:a": fails(), "two:b": says("Found.") });
  const { ports } = manager;
  const research = createResearch({
    model: () => ports.createModel("one:a"),
    agent: () => ports,
    instructions: async () => "",
  });
  const said: string[] = [];
  const context = toolContext({ progress: (text) => void said.push(text) });
  expect(await research("where", { directories: [], maxFiles: 1 }, context)).toBe("Found.");
  expect(said.join("")).toContain("two:b answers in its place");
  expect((await ask("go")).asked).toBe("two:b");
});

test("the small model writes the summaries, at its own price", async () => {
  const usage = { requestTokens: 1_000_000, responseTokens: 0, cachedTokens: 0 };
  const small = (turns: Script["turns"], contextWindow: number): Cast => ({
    "one:a": says("word ".repeat(200)),
    "small:s": { turns, contextWindow, price: { input: 2, output: 0, cacheRead: 0 } },
  });
  const compacted = async (cast: Cast, smallModel = "small:s") => {
    const { ask, manager, requests } = line(cast, { fallback: [], smallModel });
    for (let round = 0; round < 5; round++) await ask("word ".repeat(200));
    const before = requests.length;
    const model = await manager.ports.createModel("one:a");
    for await (const _ of compactNow(model, manager, new AbortController().signal));
    const { messages } = manager.session.conversation;
    expect(checkHistory(messages)).toEqual([]);
    return {
      text: JSON.stringify(messages),
      calls: requests.length - before,
      cost: manager.session.usage.sessionTotal.cost,
    };
  };
  const writes = () => [{ usage }, { text: "In short." }];
  const written = await compacted(small(writes, 200_000));
  expect(written.text).toContain("In short.");
  expect(written.cost).toBeCloseTo(2);
  // Too small, out of order, or without a key: the conversation's model writes them.
  for (const cast of [small(writes, 500), small(fails(), 200_000)])
    expect((await compacted(cast)).text).not.toContain("In short.");
  expect((await compacted(small(writes, 200_000), "nobody:n")).calls).toBeGreaterThan(0);
});

test("a summary is written by a model to fall back on, if need be", async () => {
  const { ask, manager } = line({
    "one:a": ({ system }) =>
      system.includes("condense") ? [{ fail: overloaded }] : [{ text: "word ".repeat(200) }],
    "two:b": says("In short."),
  });
  for (let round = 0; round < 5; round++) await ask("word ".repeat(200));
  const model = await manager.ports.createModel("one:a");
  for await (const _ of compactNow(model, manager, new AbortController().signal));
  expect(JSON.stringify(manager.session.conversation.messages)).toContain("In short.");
});

test("the app says who answers and why, and shows it in the status bar until the chosen model is back", async () => {
  let isWell = false;
  const standIn = scriptedModel({ name: "two:b", contextWindow: 50_000, turns: says("Here.") });
  const chosen = scriptedModel({
    name: "demo:script",
    turns: () => (isWell ? [{ text: "Well." }] : [{ fail: overloaded }]),
  });
  const restingUntil = new Map<string, number>();
  const app = startApp({
    columns: 120,
    agentPorts: () => ({
      createModel: async (name) => (name === "two:b" ? standIn : chosen),
      fallback: ["two:b"],
      restingUntil,
    }),
    options: { prompt: "go" },
  });
  await app.see("Here.");
  await app.see("demo:script can't answer now: a is overloaded (529).");
  await app.see("ask · two:b (for demo:script) · 0/50k 0%");
  await app.over();
  isWell = true;
  restingUntil.set("demo:script", 1);
  app.type("again");
  app.press("enter");
  await app.see("Well.");
  await app.see("demo:script answers again.");
  await app.see("ask · demo:script · 0/");
  await app.leave();
});

function failure(code: ErrorCode, status?: number): ProviderError {
  const name = status === undefined ? code : `${code} ${status}`;
  return new ProviderError(code, `It failed with ${name}.`, status === undefined ? {} : { status });
}
