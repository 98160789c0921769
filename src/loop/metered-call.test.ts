import { expect, test } from "bun:test";
import { ProviderError } from "../domain/error.ts";
import { type Limits, newBudget } from "../domain/limits.ts";
import type { Model, ModelEvent, ModelRequest } from "../domain/model.ts";
import type { Usage, UsageTotals } from "../domain/usage.ts";
import { meteredCall } from "./metered-call.ts";

const request: ModelRequest = { system: "s".repeat(400), messages: [], tools: [] };
const price = { input: 1, output: 2, cacheRead: 0 };
const reported: Usage = { requestTokens: 150, responseTokens: 30, cachedTokens: 0 };
const text: ModelEvent = { type: "text-delta", text: "t".repeat(40) };
const usage: ModelEvent = { type: "usage", usage: reported };
const finish: ModelEvent = { type: "finish", reason: "stop" };
const retry: ModelEvent = { type: "retry-wait", attempt: 1, delayMs: 0, reason: "busy" };
const cut = new ProviderError("provider_error", "cut");
const guess = (responseTokens: number) => ({
  requestTokens: 100,
  responseTokens,
  cachedTokens: 0,
  estimated: true,
});

/** Plays the steps, and fails at an error. */
function playing(...steps: readonly (ModelEvent | Error)[]): Model {
  return {
    name: "m",
    price,
    stream: async function* () {
      for (const step of steps) {
        if (step instanceof Error) throw step;
        yield step;
      }
    },
  };
}

async function metered(model: Model, limits: Limits = {}, readOnly = Number.POSITIVE_INFINITY) {
  const spent: UsageTotals[] = [];
  const budget = newBudget(limits);
  const seen: ModelEvent[] = [];
  try {
    for await (const event of meteredCall(request, model, {
      budget,
      spent,
      signal: new AbortController().signal,
    })) {
      seen.push(event);
      if (seen.length >= readOnly) break;
    }
  } catch (error) {
    if (error !== cut) throw error;
  }
  const tokens = spent.reduce((sum, call) => sum + call.promptTokens + call.completionTokens, 0);
  expect(budget.spent.totalTokens).toBe(tokens);
  expect(budget.reserved.size).toBe(0);
  const used = seen.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
  return { used, spent, types: seen.map(({ type }) => type).join(" ") };
}

const LIMIT = { totalTokens: 100_000 };

test.each<[name: string, steps: (ModelEvent | Error)[], used: unknown[], limits?: Limits]>([
  ["a report is charged as it is", [text, usage, finish], [reported]],
  ["a report after the end is charged, too", [text, finish, usage], [reported]],
  [
    "of several reports the last one counts",
    [usage, text, { type: "usage", usage: guess(1) as Usage }, finish],
    [guess(1)],
  ],
  ["without a report nothing is updated", [text, finish], []],
  ["without a report it is estimated if there is a limit", [text, finish], [guess(10)], LIMIT],
  ["a call that was refused costs nothing", [cut], []],
  ["nor does it if there is a limit", [cut], [], LIMIT],
  ["a call that broke off is estimated", [text, cut], [guess(10)]],
  ["what a broken call reported is counted", [text, usage, cut], [reported]],
  [
    "unless more came than it reported",
    [text, { type: "usage", usage: { ...reported, responseTokens: 1 } }, cut],
    [{ ...reported, responseTokens: 10, estimated: true }],
  ],
  ["every attempt is charged", [usage, retry, text, usage, finish], [reported, reported]],
  ["a refused attempt before it costs nothing", [retry, retry, text, usage, finish], [reported]],
  [
    "the length of calls counts",
    [
      { type: "call-delta", toolName: "a", characters: 20 },
      { type: "call-delta", toolName: "a", characters: 40 },
      { type: "call-delta", toolName: "b", characters: 8 },
      cut,
    ],
    [guess(12)],
  ],
])("%s", async (_name, steps, used, limits) => {
  expect((await metered(playing(...steps), limits)).used).toEqual(used as Usage[]);
});

test("the usage comes before the end of the answer", async () => {
  expect((await metered(playing(text, usage, finish))).types).toBe("text-delta usage finish");
});

test("a reader who stops reading is charged for what the vendor has done", async () => {
  const { used, spent } = await metered(playing(text, text, usage, finish), LIMIT, 1);
  expect(used).toEqual([]);
  expect(spent).toEqual([
    { promptTokens: 100, completionTokens: 10, cachedTokens: 0, cost: 0.00012, estimated: true },
  ]);
});

test("a call is charged by the price of its own model", async () => {
  const dear = { ...playing(usage, finish), price: { input: 100, output: 200, cacheRead: 0 } };
  expect((await metered(dear)).spent[0]?.cost).toBeCloseTo(0.021, 9);
});

test("a limit of time stops the next call", async () => {
  const budget = newBudget({ wallMs: 1_000 });
  budget.running.add(() => 1_001);
  const ports = { budget, spent: [], signal: new AbortController().signal };
  await expect(meteredCall(request, playing(finish), ports).next()).rejects.toMatchObject({
    code: "limit",
    reached: { limit: "wallMs" },
  });
});

test.each<[name: string, given: Partial<Model>, cap: number]>([
  ["where the model's limit is known, to all that is left", { maxOutput: 50_000 }, 19_900],
  ["where it is not, to what every model accepts", {}, 8_192],
])("the cap on an answer is lowered: %s", async (_name, given, cap) => {
  const caps: unknown[] = [];
  const model: Model = {
    ...playing(),
    ...given,
    stream: (sent) => {
      caps.push(sent.maxOutputTokens);
      return playing(usage, finish).stream(sent, new AbortController().signal);
    },
  };
  await metered(model, { totalTokens: 100_000 });
  await metered(model, { totalTokens: 20_000 });
  expect(caps).toEqual([undefined, cap]);
});

test("a count that is no number corrects nothing", async () => {
  const budget = newBudget({ totalTokens: 1_000 });
  const ports = { budget, spent: [], signal: new AbortController().signal };
  const odd = { type: "usage", usage: { ...reported, requestTokens: Number.NaN } } as const;
  for await (const _ of meteredCall(request, playing(odd, finish), ports));
  for await (const _ of meteredCall(request, playing(odd, finish), ports));
  expect(budget.spent.totalTokens).toBe(60);
});

test("the next estimate is corrected by what the vendor counted", async () => {
  const budget = newBudget({ totalTokens: 1_000 });
  const ports = { budget, spent: [], signal: new AbortController().signal };
  const counted = { ...reported, requestTokens: 600 };
  for await (const _ of meteredCall(request, playing({ type: "usage", usage: counted }, finish), ports));
  // 100 tokens by the characters would fit into the 370 that are left.
  await expect(meteredCall(request, playing(finish), ports).next()).rejects.toMatchObject({ code: "limit" });
});
