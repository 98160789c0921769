import { expect, test } from "bun:test";
import { readCallArgs } from "./call-args.ts";

test.each([
  ['{"a":1}', { args: { a: 1 } }],
  ["", { args: {} }],
  [" ", { args: {} }],
  ["null", { args: {} }],
  ['"{\\"a\\":1}"', { args: { a: 1 } }],
  ['{"a":', { args: {}, rawArgs: '{"a":' }],
  ["[1]", { args: {}, rawArgs: [1] }],
  ["3", { args: {}, rawArgs: 3 }],
  ['"words"', { args: {}, rawArgs: "words" }],
  ['{"a":1}{"a":2}', { args: {}, rawArgs: '{"a":1}{"a":2}' }],
])("%s", (input, expected) => {
  expect(readCallArgs(input)).toEqual(expected);
});

test.each(["{", "["])("arguments nested without end in %s stay text, which can be written down", (open) => {
  const close = open === "{" ? "}" : "]";
  const step = open === "{" ? '{"a":' : "[";
  const input = `${step.repeat(90_000)}1${close.repeat(90_000)}`;
  expect(readCallArgs(input)).toEqual({ args: {}, rawArgs: input });
  expect(readCallArgs(JSON.stringify(input))).toEqual({ args: {}, rawArgs: input });
});
