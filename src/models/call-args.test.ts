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
