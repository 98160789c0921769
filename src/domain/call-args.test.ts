import { expect, test } from "bun:test";
import { decodeArgs, readArguments } from "./call-args.ts";

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
  // Nearly right: see base/nearly-json.test.ts for every kind of damage.
  ["{'a': 1,}", { a: 1 }],
  ['```json\n{"a": "x\ny"}\n```', { a: "x\ny" }],
  ['{"a":1}}', { a: 1 }],
  ['{\\"a\\": \\"b\\"}', { a: "b" }],
  ["\"{'a': 1}\"", { a: 1 }],
  ["None", {}],
  ['"{\\"a\\": "', null],
  ['{\\"a\\": \\"b', null],
])("%j", (given, expected) => {
  expect(decodeArgs(given)).toEqual(expected);
});

test.each([
  ["[1]", "expected an object, got a list"],
  [3, "expected an object, got a number"],
  ['"3"', "expected an object, got a number"],
  ["{oops", 'line 1, column 6: expected ":" after `{oops`, got the end of the text'],
  [`${'{"a":'.repeat(600)}1${"}".repeat(600)}`, "nested more than 500 levels deep"],
])("%j is told: %s", (given, problem) => {
  expect(readArguments(given)).toEqual({ ok: false, problem });
});

test.each(["{", "["])("arguments nested too deeply in %s are rejected", (open) => {
  const close = open === "{" ? "}" : "]";
  const step = open === "{" ? '{"a":' : "[";
  const input = `${step.repeat(90_000)}1${close.repeat(90_000)}`;
  expect(decodeArgs(input)).toBeNull();
  expect(decodeArgs(JSON.stringify(input))).toBeNull();
});
