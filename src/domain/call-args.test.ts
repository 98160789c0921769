import { expect, test } from "bun:test";
import { decodeArgs } from "./call-args.ts";

test.each([
  ['{"a":1}', { a: 1 }],
  ["", {}],
  [" ", {}],
  ["null", {}],
  [null, {}],
  [{ a: 1 }, { a: 1 }],
  // Some models write the object as a JSON string.
  ['"{\\"a\\":1}"', { a: 1 }],
  ['{"a":', null],
  ["[1]", null],
  ["3", null],
  [3, null],
  ['"words"', null],
  ['{"a":1}{"a":2}', null],
])("%j", (given, expected) => {
  expect(decodeArgs(given)).toEqual(expected);
});

test.each(["{", "["])("arguments nested too deeply in %s are rejected", (open) => {
  const close = open === "{" ? "}" : "]";
  const step = open === "{" ? '{"a":' : "[";
  const input = `${step.repeat(90_000)}1${close.repeat(90_000)}`;
  expect(decodeArgs(input)).toBeNull();
  expect(decodeArgs(JSON.stringify(input))).toBeNull();
});
