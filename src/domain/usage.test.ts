import { expect, test } from "bun:test";
import { addTokens, addUsage, callUsage, describeCost, NO_USAGE } from "./usage.ts";

const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const usage = { requestTokens: 21_000, responseTokens: 400, cachedTokens: 0, writtenTokens: 20_000 };

test("what is written to the vendor's cache costs what the vendor asks for that", () => {
  // 1,000 fresh at 3, 20,000 written at 3.75 and 400 in the answer at 15, by a million.
  expect(callUsage(usage, price).cost).toBeCloseTo(0.003 + 0.075 + 0.006, 12);
});

test("without a price for writing it costs as much as any input", () => {
  const { cacheWrite: _, ...plain } = price;
  expect(callUsage(usage, plain).cost).toBeCloseTo(0.069, 12);
});

test("cached, written and fresh tokens are counted once each", () => {
  const mixed = { requestTokens: 10_000, responseTokens: 0, cachedTokens: 6_000, writtenTokens: 3_000 };
  expect(callUsage(mixed, price).cost).toBeCloseTo((1_000 * 3 + 6_000 * 0.3 + 3_000 * 3.75) / 1e6, 12);
});

test("nonsense of a vendor neither lowers a sum nor spoils it", () => {
  const odd = { requestTokens: Number.NaN, responseTokens: -5, cachedTokens: 7, writtenTokens: 9 };
  const { cost, ...tokens } = callUsage(odd, price);
  expect(tokens).toEqual({ promptTokens: 0, completionTokens: 0, cachedTokens: 7 });
  expect(cost).toBeGreaterThanOrEqual(0);
});

test("a sum remembers that a part of it is estimated, or has no price", () => {
  const known = callUsage(usage, price);
  const guessed = callUsage({ ...usage, estimated: true }, price);
  const unknown = callUsage(usage, undefined);
  expect(describeCost(NO_USAGE)).toBe("$0");
  expect(describeCost(known)).toBe("$0.08");
  expect(describeCost(addUsage(known, guessed))).toBe("about $0.17");
  expect(describeCost(addUsage(guessed, unknown))).toBe("at least $0.08");
  expect(describeCost(unknown)).toBe("no price");
  expect(unknown.cost).toBe(0);
});

test("the tokens of several attempts add up", () => {
  const broken = { requestTokens: 10, responseTokens: 1, cachedTokens: 0, estimated: true } as const;
  expect(addTokens(addTokens(null, broken), usage)).toEqual({
    requestTokens: 21_010,
    responseTokens: 401,
    cachedTokens: 0,
    writtenTokens: 20_000,
    estimated: true,
  });
});
