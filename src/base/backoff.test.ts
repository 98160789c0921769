import { expect, test } from "bun:test";
import { backoffMs } from "./backoff.ts";

const delays = (random: number) =>
  [1, 2, 3, 4, 5, 6].map((attempt) => backoffMs({ firstMs: 500, mostMs: 5_000 }, attempt, random));

test("the delay doubles up to its cap", () => {
  expect(delays(0)).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000]);
});

test("jitter adds up to a tenth", () => {
  expect(delays(1)).toEqual([550, 1_100, 2_200, 4_400, 5_500, 5_500]);
});
