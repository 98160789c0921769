// Calls that are nearly right are run as meant; those that are not are explained; none is guessed.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject } from "../../src/base/json.ts";
import { contentText } from "../../src/domain/content.ts";
import type { Message } from "../../src/domain/message.ts";
import type { Tool } from "../../src/domain/tool.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import type { ScriptedStep } from "../../src/models/scripted.ts";
import { DAMAGES, damaged, jsonObject } from "../support/damaged-json.ts";
import { ARGUMENTS, type Case, type Expected, TEXTS } from "../support/malformed-calls.ts";
import { scenario, tool } from "../support/scenario.ts";

const STRING = { type: "string", minLength: 1 };
const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  read_file: { filepath: STRING, offset: { type: "integer" }, limit: { type: "integer", minimum: 1 } },
  write_file: { filepath: STRING, content: { type: "string" } },
  bash: {
    command: STRING,
    env: { type: "object", additionalProperties: { type: "string" } },
    timeout: { type: "number" },
  },
  grep: { pattern: STRING, case_insensitive: { type: "boolean" }, context: { type: "integer" } },
  research: { query: STRING, directories: { type: "array", items: STRING } },
  submit: { summary: { type: "string" } },
};
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  read_file: ["filepath"],
  write_file: ["filepath", "content"],
  bash: ["command"],
  grep: ["pattern"],
  research: ["query"],
};

async function run(turn: readonly ScriptedStep[]) {
  const ran: [string, JsonObject][] = [];
  const asked: [string, JsonObject][] = [];
  const tools = Object.entries(SCHEMAS).map(([name, properties]): Tool => {
    const parameters = { type: "object", properties, required: REQUIRED[name] ?? [] };
    return tool(name, "write", (args) => `${ran.push([name, args])}`, { parameters });
  });
  const made = scenario((_request, call) => (call === 0 ? turn : [{ text: "done" }]), tools, {
    permit: async (call) => {
      asked.push([call.toolName, call.args]);
      return { type: "allow" };
    },
  });
  const { messages, outcome, events } = await made.ask("go");
  expect(outcome.type).toBe("completed");
  expect(checkHistory(messages)).toEqual([]);
  const shown = events.flatMap((event) =>
    event.type === "tool-start" ? [[event.toolName, event.args] as const] : [],
  );
  return { ran, asked, shown, kept: keptCalls(messages), told: toldWords(messages) };
}

function keptCalls(messages: readonly Message[]) {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === "tool-call" ? [[part.toolName, part.args] as const] : [])),
  );
}

/** What the model was told, without what tools returned. */
function toldWords(messages: readonly Message[]): string {
  const words = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.kind === "retry-prompt") return [String(part.content)];
      return part.kind === "tool-return" && part.status === "failed" ? [contentText(part.content)] : [];
    }),
  );
  return words.join("\n");
}

async function check(turn: readonly ScriptedStep[], expected: Expected): Promise<void> {
  const { ran, asked, shown, kept, told } = await run(turn);
  if ("runs" in expected) {
    // What runs is what the person is asked about and shown, and what is kept.
    expect(shown).toEqual([...expected.runs]);
    expect(kept).toEqual([...expected.runs]);
    const got = expected.runs.map(([name, args]) => [name, withoutNulls(args)]);
    expect(ran as unknown[]).toEqual(got);
    expect(asked as unknown[]).toEqual(got);
  } else expect(ran).toEqual([]);
  if ("told" in expected && expected.told !== undefined) expect(told).toContain(expected.told);
  else expect(told).toBe("");
}

/** Many models write null for an argument they leave out. */
function withoutNulls(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

const CALLS = Object.entries(ARGUMENTS).flatMap(([name, cases]) =>
  cases.map(([written, expected]): [string, string, Expected] => [name, written, expected]),
);

test("there are enough of them", () => {
  expect(CALLS.length + TEXTS.length).toBeGreaterThanOrEqual(200);
});

test.each(CALLS)("%s(%s)", async (name, written, expected) => {
  await check([{ call: name, rawArgs: written }], expected);
});

test.each(TEXTS.map(([written, expected]): Case => [written, expected]))(
  "as text: %s",
  async (written, expected) => {
    await check([{ text: written }], expected);
  },
);

const WHOLE = '{"name": "read_file", "arguments": {"filepath": "a.ts"}}';

test.each<[string, Expected]>([
  // Its end is there.
  [`<tool_call>${WHOLE}</tool_call>`, { runs: [["read_file", { filepath: "a.ts" }]] }],
  // Its end may be missing, or the prose after it that would make it an example.
  [`<tool_call>${WHOLE}`, { told: "it was cut off by the output limit" }],
  ["<function=read_file>\n<parameter=filepath>\na.ts", { told: "it was cut off by the output limit" }],
  ['[TOOL_CALLS]read_file[ARGS]{"filepath": "a.t', { told: "it was cut off by the output limit" }],
  [WHOLE, { text: true }],
  [`\`\`\`json\n${WHOLE}\n\`\`\``, { text: true }],
])("a text that the output limit cut off: %s", async (text, expected) => {
  await check([{ text }, { finish: "length" }], expected);
});

const RUNS = process.env["TUNACODE_LONG"] === "1" ? 20_000 : 200;
const open = tool("open", "read", () => "ok");

/** How a call is written as text, around its arguments. */
const NOTATIONS: readonly ((args: string) => string)[] = [
  (args) => `<tool_call>\n{"name": "open", "arguments": ${args}}\n</tool_call>`,
  (args) => `<function=open>${args}</function>`,
  (args) => `[TOOL_CALLS][{"name": "open", "arguments": ${args}}]`,
  (args) => `[TOOL_CALLS]open[ARGS]${args}`,
  (args) => `Now:\n{"name": "open", "arguments": ${args}}`,
];
const damage = fc.constantFrom(
  ...DAMAGES.filter((each) => !["code fence", "escaped as a text", "surplus braces"].includes(each)),
);

test(`${RUNS} damaged calls in every notation are run as meant, and never when they are cut off`, async () => {
  await fc.assert(
    fc.asyncProperty(
      jsonObject,
      damage,
      fc.constantFrom(...NOTATIONS),
      fc.nat(),
      async (args, kind, notation, at) => {
        const whole = notation(damaged(args, [kind]));
        const ran = await runOpen(whole);
        expect(ran).toEqual([args]);
        const start = Math.max(whole.indexOf("{"), whole.indexOf("=") + 1);
        const json = whole.lastIndexOf("}");
        const cut = start + (at % Math.max(1, json - start));
        expect(await runOpen(whole.slice(0, cut)), whole.slice(0, cut)).toEqual([]);
      },
    ),
    { numRuns: RUNS, seed: 5 },
  );
}, 600_000);

async function runOpen(text: string): Promise<JsonObject[]> {
  const ran: JsonObject[] = [];
  const turns = (_request: unknown, call: number) => (call === 0 ? [{ text }] : [{ text: "done" }]);
  const tools = [{ ...open, execute: async (args: JsonObject) => `${ran.push(args)}` }];
  await scenario(turns, tools).ask("go");
  return ran;
}
