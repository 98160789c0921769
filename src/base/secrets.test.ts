import { expect, test } from "bun:test";
import { createMask, MaskedStream } from "./secrets.ts";

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

test("a whole key is never cut in two, even if its end looks like a start", () => {
  const { openEnd } = createMask(["abcXXXabc", "abcXXXabc-longer"]);
  expect(openEnd("see abcXXXabc")).toBe(9);
  expect(createMask(["abcXXXXabc"]).openEnd("see abcXXXXabc")).toBe(10);
});

test("pieces of a text are masked as the whole would be, wherever they are cut", () => {
  const masks = [["sk-1234567890"], ["abcdefgh", "abcdefgh-longer"], ["abcXXXXabc", 'odd"key\\here']];
  for (const keys of masks) {
    const mask = createMask(keys);
    const [key = "", other = key] = keys;
    const text = `${key.slice(0, 5)} ${key}${other.slice(1)} ${other}${key} ${JSON.stringify(other)}${key.slice(0, -1)}`;
    for (let first = 1; first < text.length; first++)
      for (const size of [1, 2, 5, 40]) {
        const stream = new MaskedStream(mask);
        let shown = stream.push(text.slice(0, first));
        for (let at = first; at < text.length; at += size) shown += stream.push(text.slice(at, at + size));
        expect(shown + stream.end()).toBe(mask(text));
      }
  }
});

test("of a text that broke off inside a key, no more than its beginning is shown", () => {
  const key = "sk-proj-0123456789abcdef";
  const stream = new MaskedStream(createMask([key]));
  expect(stream.push(`it is ${key.slice(0, 20)}`) + stream.end(true)).toBe("it is [key hidden]");
  expect(stream.push("it begins with sk-proj-") + stream.end(true)).toBe("it begins with sk-proj-");
});
