// Calls that a model wrote as text run like any other; what merely looks like one stays text.
import { expect, test } from "bun:test";
import { parseTextCalls } from "../../src/dispatch/fallback-parser.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { outline, scenario, tool } from "../support/scenario.ts";

const RUNS = [
  '<tool_call>{"name":"ls","arguments":{"path":"."}}</tool_call>',
  'I will look.\n<tool_call>\n{"tool":"ls","args":{"path":"."}}\n</tool_call>',
  '<function=ls>{"path":"."}</function>',
  '```json\n{"name":"ls","parameters":{"path":"."}}\n```',
  'Let me see:\n```\n{"function":"ls","arguments":"{\\"path\\":\\".\\"}"}\n```\n',
  '{"name":"ls","arguments":{"path":"."}}',
  'Looking now.\n\n{\n  "name": "ls",\n  "arguments": {"path": "."}\n}',
  'I will look. <tool_call>{"name":"ls","arguments":{"path":"."}}</tool_call>',
  '<tool_call>\n{"name":"ls","arguments":{"path":"."}}\n',
  '<function=ls>{"path":"."}',
  '```JSON\n{"name":"ls","arguments":{"path":"."}}\n```',
  'if (a) {\n  b("{");\n\n{"name":"ls","arguments":{"path":"."}}',
];

const STAYS_TEXT = [
  'Write {"name":"ls","arguments":{"path":"."}} to list files.',
  'For example:\n```json\n{"name":"ls","arguments":{"path":"."}}\n```\nThat would list them.',
  "The notation is `<tool_call>{...}</tool_call>`.",
  '```xml\n<tool_call>{"name":"ls","arguments":{"path":"."}}</tool_call>\n```',
  '{"name":"tunacode","version":"1.0.0"}',
  '```json\n{"name":"unknown","arguments":{}}\n```',
  "{ not json }",
  'Models write <tool_call>{"name": ...} for that.',
  "<tool_call> is the tag that models use.",
  '{"a": {"name":"ls","arguments":{"path":"."}}}',
];

const TOLD_WHY: [string, string][] = [
  ['<tool_call>{"name":"ls","arguments":{"path":"."}</tool_call>', "its JSON can't be read"],
  ['<tool_call>{"name":"rm","arguments":{}}</tool_call>', 'there is no tool called "rm"'],
  ["<function=ls>{}</function>", "the arguments don't fit ls: path: missing, expected a string"],
  ['<tool_call>{"name":"ls","arguments":[1]}</tool_call>', "the arguments of ls are not a JSON object"],
  ['I write it:\n<tool_call>{"name":"ls","arguments":{"pa', "its JSON can't be read"],
  ['{"name":"ls","arguments":{"path":5}}', "the arguments don't fit ls: path: expected a string, got 5"],
  ["<function=ls><parameter=path>.", "the value of path has no </parameter>"],
];

function run(text: string) {
  const calls: unknown[] = [];
  const ls = tool("ls", "read", (args) => `${calls.push(args)} file`, {
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  });
  const made = scenario((_request, call) => (call === 0 ? [{ text }] : [{ text: "done" }]), [ls]);
  return { ...made, calls };
}

test.each(RUNS)("runs: %s", async (text) => {
  const { ask, calls } = run(text);
  const { messages } = await ask("list");
  expect(calls).toEqual([{ path: "." }]);
  expect(outline(messages)).toMatch(/^prompt \| (text )?call:ls \| return:ls\(completed\) \| text$/);
  expect(JSON.stringify(messages[1])).not.toContain("tool_call>");
});

test.each(STAYS_TEXT)("stays text: %s", async (text) => {
  const { ask, calls } = run(text);
  const { messages, outcome } = await ask("list");
  expect(calls).toEqual([]);
  expect(outline(messages)).toBe("prompt | text");
  expect(outcome.type).toBe("completed");
});

test.each(TOLD_WHY)("tells the model why %s can't be used", async (text, why) => {
  const { ask, calls } = run(text);
  const { messages } = await ask("list");
  expect(calls).toEqual([]);
  expect(outline(messages)).toBe("prompt | text | remark | text");
  expect(JSON.stringify(messages[2])).toContain(JSON.stringify(why).slice(1, -1));
});

test("several calls in one text all run; structured calls take precedence over text", async () => {
  const two = run(
    '<tool_call>{"name":"ls","arguments":{"path":"a"}}</tool_call>\n<tool_call>{"name":"ls","arguments":{"path":"b"}}</tool_call>',
  );
  await two.ask("list");
  expect(two.calls).toEqual([{ path: "a" }, { path: "b" }]);

  const calls: unknown[] = [];
  const ls = tool("ls", "read", (args) => `${calls.push(args)}`);
  const turn = [
    { text: '<tool_call>{"name":"ls","arguments":{"path":"text"}}</tool_call>' },
    { call: "ls", args: { path: "part" } },
  ];
  await scenario([turn, [{ text: "ok" }]], [ls]).ask("x");
  expect(calls).toEqual([{ path: "part" }]);
});

test("consecutive objects all run, fenced or bare", async () => {
  const bare = run('{"name":"ls","arguments":{"path":"a"}}\n{"name":"ls","arguments":{"path":"b"}}');
  await bare.ask("list");
  expect(bare.calls).toEqual([{ path: "a" }, { path: "b" }]);
});

test("a broken example in a code fence doesn't swallow the call after it", async () => {
  const { ask, calls } = run(
    '```\n<tool_call>{"name":\n```\n<tool_call>{"name":"ls","arguments":{"path":"."}}</tool_call>',
  );
  const { messages } = await ask("list");
  expect(calls).toEqual([{ path: "." }]);
  expect(outline(messages)).toBe("prompt | text call:ls | return:ls(completed) | text");
});

test("a call without arguments needs no braces", async () => {
  const submit = tool("submit", "read", () => "ok");
  const { messages } = await scenario(
    [[{ text: "<function=submit></function>" }], [{ text: "ok" }]],
    [submit],
  ).ask("x");
  expect(outline(messages)).toBe("prompt | call:submit | return:submit(completed) | text");
});

test("among several calls the valid ones run, and the model is told about the others", async () => {
  const { ask, calls } = run(
    '<tool_call>{"name":"ls","arguments":{"path":"a"}}</tool_call>\n<tool_call>{"name":"ls"</tool_call>',
  );
  const { messages } = await ask("list");
  expect(calls).toEqual([{ path: "a" }]);
  expect(outline(messages)).toBe("prompt | text call:ls | return:ls(completed) remark | text");
  expect(checkHistory(messages)).toEqual([]);
});

test.each([
  "<tool_call>{\n",
  "<function=a>{\n",
  "```json\n{\n",
  "\n```json\n{\n```",
  "{\n",
  "<tool_call>{/*",
  " x <tool_call>{/*</tool_call>",
  "x <function=a><parameter=b>",
  "\n<function=a><parameter=b></parameter>",
  "<function=",
  "[TOOL_CALLS][{'",
  "[TOOL_CALLS]a[ARGS]{",
  "[TOOL_CALLS] a ",
  '\n{"name":\'',
  '{"a":[1,2,3,\n',
  '{"a":1} ',
  '"\\"',
  '\\"',
  "   \t",
])("a long text of %j is looked through in one go", (piece) => {
  const text = `"${piece.repeat(900_000 / piece.length)}{}}`;
  const startedAt = performance.now();
  parseTextCalls(text, new Map());
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

test("a model that never gets it right is told three times, then its text is the answer", async () => {
  const ls = tool("ls", "read", () => "");
  const { ask, requests } = scenario(() => [{ text: "<tool_call>{</tool_call>" }], [ls]);
  const { outcome } = await ask("x");
  expect(requests.length).toBe(4);
  expect(outcome.type).toBe("completed");
});
