import { expect, test } from "bun:test";
import { withoutBegunCall } from "./begun-call.ts";

const tools = [{ name: "bash", description: "", parameters: {} }];

test.each([
  ['<tool_call>{"name": "bash", "arguments": {"command": "rm -r'],
  ["<function=bash><parameter=command>rm -r"],
  ['[TOOL_CALLS][{"name": "bash", "arguments": {"command": "rm'],
  ['\n```json\n{"name": "bash", "arguments": {"command": "rm'],
  ['\n{"name": "bash", "arguments": {"command": "rm'],
  ['\n{"arguments": {"command": "rm'],
])("a call that breaks off is left out: %s", (call) => {
  expect(withoutBegunCall(`Let me see.${call}`, tools)).toBe("Let me see.");
});

test.each([
  ["plain words"],
  ['<tool_call>{"name": "bash", "arguments": {}}</tool_call>'],
  ['\n```json\n{"name": "my-package", "version": "1.'],
  ['{"name": "Ada", "age": 3'],
  ['\n{"name": "bash", "arguments": {"command": "ls"}}'],
])("anything else is kept: %s", (text) => {
  expect(withoutBegunCall(text, tools)).toBe(text);
});
