import { expect, test } from "bun:test";
import { createMask } from "./secrets.ts";

test("the exact values of keys are masked everywhere", () => {
  const mask = createMask(["sk-1234567890", 'odd"key\\here']);
  expect(mask("a sk-1234567890 b sk-1234567890")).toBe("a [key hidden] b [key hidden]");
  expect(mask(JSON.stringify({ key: 'odd"key\\here' }))).toBe('{"key":"[key hidden]"}');
  expect(mask("sk-123456789 is another")).toBe("sk-123456789 is another");
});

test("a key that contains another is masked as a whole, and a value too short to be a key is not masked", () => {
  expect(createMask(["abcdefgh", "abcdefgh-longer"])("abcdefgh-longer")).toBe("[key hidden]");
  expect(createMask(["abc", ""])("abc")).toBe("abc");
});

test("keys are masked by pattern only on request", () => {
  const text = "AKIAABCDEFGHIJKLMNOP";
  expect(createMask([])(text)).toBe(text);
  expect(createMask([], { patterns: true })(text)).toBe("[key hidden]");
});

test("an open end is text that may become a key", () => {
  const { openEnd } = createMask(["sk-12345678"]);
  expect(openEnd("text sk-123")).toBe(6);
  expect(openEnd("text s")).toBe(1);
  expect(openEnd("text sk-12345678")).toBe(0);
  expect(openEnd("text")).toBe(0);
});
