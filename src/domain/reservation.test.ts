import { expect, test } from "bun:test";
import { charge, type Limits, newBudget } from "./limits.ts";
import { type CallNeed, reserve } from "./reservation.ts";

const { signal } = new AbortController();
const price = { input: 1, output: 10, cacheRead: 0.1 };
const need: CallNeed = { inputTokens: 1_000, mostOutput: 4_000, price };

const most = async (limits: Limits, more: Partial<CallNeed> = {}) =>
  (await reserve(newBudget(limits), { ...need, ...more }, signal)).mostOutput;

test("the longest answer is lowered to what is left", async () => {
  expect(await most({ totalTokens: 100_000 })).toBe(4_000);
  expect(await most({ totalTokens: 3_000 })).toBe(2_000);
  // $0.021 - $0.001 for the input, at $0.00001 a token.
  expect(await most({ costDollars: 0.021 })).toBeWithin(1_999, 2_001);
  expect(await most({ costDollars: 0.021, totalTokens: 1_500 })).toBe(500);
});

test("the input may have to be written to the cache, at the price of that", async () => {
  expect(await most({ costDollars: 0.021 }, { price: { ...price, cacheWrite: 11 } })).toBeWithin(999, 1_001);
});

test("without a price a limit on cost can't lower anything", async () => {
  expect(await most({ costDollars: 0.000001 }, { price: undefined })).toBe(4_000);
});

test("a call that can't be paid is not made, and the error says what it would need", async () => {
  await expect(most({ totalTokens: 1_200 })).rejects.toMatchObject({
    code: "limit",
    reached: { limit: "totalTokens", allowed: 1_200, spent: 0, needed: 1_256 },
    message: expect.stringContaining("--max-total-tokens"),
  });
  await expect(most({ costDollars: 0.001 })).rejects.toMatchObject({ reached: { limit: "costDollars" } });
});

test("a very short answer is enough where no more was asked for", async () => {
  expect(await most({ totalTokens: 1_010 }, { mostOutput: 7 })).toBe(7);
});

test("calls at the same time get no more than there is: a later one waits and takes what was not used", async () => {
  const budget = newBudget({ totalTokens: 8_000 });
  const first = await reserve(budget, need, signal);
  let later: number | undefined;
  const second = reserve(budget, need, signal).then((reservation) => {
    later = reservation.mostOutput;
    return reservation;
  });
  await new Promise(setImmediate);
  expect(later).toBeUndefined();
  charge(budget, { totalTokens: 1_200 });
  first.release();
  (await second).release();
  expect(later).toBe(4_000);
  expect(budget.reserved.size + budget.waiting.size).toBe(0);
});

test("a call that waits ends with an abort, or with the limit", async () => {
  const budget = newBudget({ totalTokens: 5_000 });
  const first = await reserve(budget, need, signal);
  const controller = new AbortController();
  const stopped = reserve(budget, need, controller.signal);
  const refused = reserve(budget, need, signal);
  controller.abort(new Error("stop"));
  await expect(stopped).rejects.toThrow("stop");
  charge(budget, { totalTokens: 5_000 });
  first.release();
  await expect(refused).rejects.toMatchObject({ code: "limit" });
  expect(budget.reserved.size + budget.waiting.size).toBe(0);
});
