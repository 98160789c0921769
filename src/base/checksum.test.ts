import { expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import { addToSum, checksum, formatSum } from "./checksum.ts";

const SAMPLES = ["", "a", "The quick brown fox", "grüße, 世界 👋", "x".repeat(100_000)];

test("it matches the standard CRC-32", () => {
  expect(checksum("123456789")).toBe("cbf43926");
  for (const text of SAMPLES) {
    const expected = crc32(text).toString(16).padStart(8, "0");
    expect([checksum(text), checksum(Buffer.from(text))]).toEqual([expected, expected]);
  }
});

test("summing in pieces gives the same result", () => {
  const sum = SAMPLES.reduce((before, text) => addToSum(before, text), 0);
  expect(formatSum(sum)).toBe(checksum(SAMPLES.join("")));
});
