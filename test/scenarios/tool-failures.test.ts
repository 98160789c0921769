// A tool's failure is a return the model reads. What may be tried again is tried again, the rest is not.
import { expect, test } from "bun:test";
import { processRequest } from "../../src/app/process-request.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { contentText } from "../../src/domain/content.ts";
import { ToolError } from "../../src/domain/error.ts";
import type { ToolKind, ToolOutput } from "../../src/domain/tool.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { outline, scenario, tool } from "../support/scenario.ts";

async function attempt(kind: ToolKind, execute: (attempt: number) => ToolOutput, deadlineMs = 60_000) {
  let attempts = 0;
  const run = scenario(
    [[{ call: "t" }], [{ text: "read it" }]],
    [tool("t", kind, () => execute(++attempts), { deadlineMs })],
  );
  const startedAt = run.clock.now();
  const { messages, outcome, events } = await run.ask("go");
  const part = messages[2]?.parts[0];
  if (part?.kind !== "tool-return") throw new Error(outline(messages));
  expect(outcome.type).toBe("completed");
  expect(checkHistory(messages)).toEqual([]);
  const ended = events.filter((event) => event.type === "tool-end");
  expect(ended.length).toBe(1);
  return {
    attempts,
    status: part.status ?? "completed",
    text: String(part.content),
    waitedMs: run.clock.now() - startedAt,
  };
}

test("an unexplained failure of a read is tried three times, after 0.5 s and 1 s", async () => {
  const result = await attempt("read", () => {
    throw new Error("flaky");
  });
  expect(result).toMatchObject({ attempts: 3, status: "failed", text: "t failed: flaky", waitedMs: 1500 });
});

test("the second attempt may succeed", async () => {
  const result = await attempt("research", (n) => {
    if (n === 1) throw new Error("flaky");
    return "fine";
  });
  expect(result).toMatchObject({ attempts: 2, status: "completed", text: "fine" });
});

test("a write is never tried again: it may have had an effect", async () => {
  const result = await attempt("write", () => {
    throw new Error("half done");
  });
  expect(result).toMatchObject({ attempts: 1, status: "failed", text: "t failed: half done" });
});

test("a failure that the tool explains is not tried again", async () => {
  const result = await attempt("read", () => {
    throw new ToolError("because");
  });
  expect(result).toMatchObject({ attempts: 1, status: "failed", text: "t failed: because" });
});

test("a tool can say itself that it failed", async () => {
  expect(await attempt("read", () => ({ content: "no such file", failed: true }))).toMatchObject({
    attempts: 1,
    status: "failed",
    text: "no such file",
  });
});

test("50 MB of output are capped, and the cap says where the rest is", async () => {
  const { text } = await attempt("read", () => `begin${"x".repeat(50_000_000)}end`);
  expect(text.length).toBeLessThan(51_000);
  expect(text).toStartWith("begin");
  expect(text).toEndWith("end");
  expect(text).toMatch(/\[\.\.\. 49950008 characters left out; the whole output is in \/kept\/call_\w+/);
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a number", 5],
  ["an object", { answer: 42 }],
  ["content that is none", { content: 5 }],
  ["broken items", { content: [{ type: "text" }, null] }],
])("a tool that returns %s has failed, once, and the request goes on", async (_what, output) => {
  for (const kind of ["read", "write"] as const) {
    const result = await attempt(kind, () => output as string);
    expect(result).toMatchObject({ attempts: 1, status: "failed" });
    expect(result.text).toContain("returned neither text nor images");
  }
});

test("many pieces of output are capped together; images stay", async () => {
  const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
  const pieces = Array.from({ length: 20 }, () => ({ type: "text", text: "y".repeat(40_000) }) as const);
  const big = tool("t", "read", () => ({
    content: [...pieces, image, { type: "json", value: "z".repeat(9) }],
  }));
  const { messages } = await scenario([[{ call: "t" }], [{ text: "ok" }]], [big]).ask("go");
  const [part] = messages[2]?.parts ?? [];
  if (part?.kind !== "tool-return" || typeof part.content === "string") throw new Error(outline(messages));
  expect(part.content[1]).toEqual(image);
  expect(part.content.length).toBe(2);
  expect(contentText(part.content.slice(0, 1)).length).toBeLessThan(51_000);
  expect(contentText(part.content)).toContain("/kept/call_");
});

test("the explanation of a wrong call is capped too", async () => {
  const { messages } = await scenario([[{ call: "x".repeat(2_000_000) }], [{ text: "ok" }]]).ask("go");
  expect(JSON.stringify(messages[2]?.parts[0]).length).toBeLessThan(2_060_000);
  const [part] = messages[2]?.parts ?? [];
  expect(part?.kind === "tool-return" && contentText(part.content).length).toBeLessThan(51_000);
});

test("arguments that can't be checked, because the schema is wrong, are refused", async () => {
  const turn = [{ call: "t" }];
  const asText = [{ text: '<tool_call>{"name":"t","arguments":{}}</tool_call>' }];
  const moody = tool("t", "read", () => "ran", {
    parameters: { $ref: "#/nowhere" },
  });
  const { messages, outcome } = await scenario([turn, asText, [{ text: "ok" }]], [moody]).ask("go");
  expect(outcome.type).toBe("completed");
  expect(outline(messages)).toBe("prompt | call:t | return:t(failed) | text | remark | text");
  expect(JSON.stringify(messages[2])).toContain(
    "The arguments don't fit t: they can't be checked, because the schema of t is wrong: Unresolved $ref",
  );
});

test.each(["as arguments", "as text"])(
  "arguments nested without end, %s, are told to the model",
  async (how) => {
    const deep = `{"a":${"[".repeat(90_000)}${"]".repeat(90_000)}}`;
    const turn =
      how === "as text"
        ? [{ text: `<tool_call>{"name":"t","arguments":${deep}}</tool_call>` }]
        : [{ call: "t", rawArgs: deep }];
    const run = scenario([turn, [{ text: "ok" }]], [tool("t", "read", () => "ran")]);
    const { messages, outcome } = await run.ask("go");
    expect(outcome.type).toBe("completed");
    expect(outline(messages)).not.toContain("completed");
    expect(checkHistory(messages)).toEqual([]);
  },
);

test.each([undefined, {}, { type: "sure" }, true])("a permission answer of %p is a no", async (answer) => {
  let ran = 0;
  const run = scenario([[{ call: "t" }], [{ text: "ok" }]], [tool("t", "write", () => `${++ran}`)], {
    permit: async () => answer as never,
  });
  const { messages, outcome } = await run.ask("go");
  expect(ran).toBe(0);
  expect(outcome.type).toBe("completed");
  expect(outline(messages)).toBe("prompt | call:t | return:t(failed) | text");
});

test("a tool that hangs is abandoned at its deadline", async () => {
  const run = scenario(
    [[{ call: "t" }], [{ text: "ok" }]],
    [tool("t", "write", () => new Promise<string>(() => {}), { deadlineMs: 30_000 })],
  );
  const { messages } = await run.ask("go");
  expect(messages[2]?.parts[0]).toMatchObject({
    status: "failed",
    content: "t did not finish within 30 s and was stopped. Its effects are unknown.",
  });
  expect(run.clock.waiting()).toBe(0);
});

test("arguments that don't fit, unknown tools and unreadable arguments are told to the model, and nothing runs", async () => {
  let ran = 0;
  const strict = tool("strict", "read", () => `${++ran}`, {
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  });
  const turn = [
    { call: "strict" },
    { call: " strict " },
    { call: "nope" },
    { call: "strict", rawArgs: "{oops" },
  ];
  const run = scenario([turn, [{ text: "ok" }]], [strict]);
  const { messages } = await run.ask("go");
  expect((messages[2]?.parts ?? []).map((part) => ("content" in part ? part.content : ""))).toEqual([
    "The arguments don't fit strict: path: missing, expected a string. Correct them and call again.",
    "The arguments don't fit strict: path: missing, expected a string. Correct them and call again.",
    'There is no tool called "nope". Available: strict.',
    `The arguments of strict can't be read as a JSON object, so it was not run: line 1, column 6: expected ":" after \`{oops\`, got the end of the text. Call it again with one whole JSON object. You sent:\n{oops`,
  ]);
  expect(ran).toBe(0);
  expect(run.manager.session.runtime.toolRegistry.list().map((call) => call.status)).toEqual(
    Array(4).fill("failed"),
  );
});

test("string arguments are decoded; null and empty mean none", async () => {
  const seen: unknown[] = [];
  const echo = tool("echo", "read", (args) => `${seen.push(args)}`);
  const turn = [
    { call: "echo", rawArgs: '{"a":1}' },
    { call: "echo", rawArgs: "" },
    { call: "echo", rawArgs: null },
  ];
  await scenario([turn, [{ text: "ok" }]], [echo], { parallelWidth: 1 }).ask("go");
  expect(seen).toEqual([{ a: 1 }, {}, {}]);
});

test("missing and repeated ids get ids of our own, within a response and across the history", async () => {
  const echo = tool("echo", "read", () => "ok");
  const turn = [
    { call: "echo", id: "" },
    { call: "echo", id: "same" },
    { call: "echo", id: "same" },
  ];
  const run = scenario([turn, turn, [{ text: "ok" }]], [echo]);
  const { messages } = await run.ask("go");
  const ids = messages.flatMap((message) =>
    message.parts.flatMap((part) => (part.kind === "tool-call" ? [part.toolCallId] : [])),
  );
  expect(new Set(ids).size).toBe(6);
  expect(ids).toContain("same");
  expect(checkHistory(messages)).toEqual([]);
});

test("a model that leaves out ids, names and arguments, or gives them another type, is understood or told", async () => {
  const echo = tool("echo", "read", (args) => JSON.stringify(args));
  const calls: unknown[] = [
    { kind: "tool-call", toolName: "echo" },
    { kind: "tool-call", toolName: "echo", toolCallId: 5, args: '{"a":1}' },
    { kind: "tool-call", toolName: null, toolCallId: null, args: null },
    { kind: "tool-call", toolName: "echo", toolCallId: "x", args: [1] },
  ];
  let asked = 0;
  const model = {
    name: "plain:javascript",
    async *stream() {
      const parts = asked++ === 0 ? calls : [{ kind: "text", content: "ok" }];
      for (const part of parts) yield { type: "part", part } as never;
      yield { type: "usage", usage: { requestTokens: Number.NaN, cachedTokens: -3 } } as never;
    },
  };
  const { manager } = scenario([], [echo]);
  const run = await processRequest("go", model, manager);
  expect(outline(run.allMessages())).toBe(
    "prompt | call:echo call:echo call: call:echo | return:echo(completed) return:echo(completed) return:(failed) return:echo(failed) | text",
  );
  expect(checkHistory(run.allMessages())).toEqual([]);
  expect(run.allMessages()[2]?.parts[1]).toMatchObject({ toolCallId: "5", content: '{"a":1}' });
  expect(manager.session.usage.sessionTotal).toMatchObject({
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
    cost: 0,
  });
});

test("permission judges the arguments that will run, not those that are ignored", async () => {
  const judged: JsonObject[] = [];
  const parameters = { type: "object", properties: { place: { type: "string" } } };
  const picky = tool("t", "write", () => "ran", { parameters });
  const run = scenario([[{ call: "t", args: { place: "/etc", other: "here" } }], [{ text: "ok" }]], [picky], {
    permit: async ({ args }) => {
      judged.push(args);
      return { type: "allow" };
    },
  });
  const { messages } = await run.ask("go");
  expect(judged).toEqual([{ place: "/etc" }]);
  expect(messages[1]?.parts[0]).toMatchObject({ args: { place: "/etc", other: "here" } });
});

test("a person's no is a return with their words; stop is an abort", async () => {
  const no = scenario([[{ call: "t" }], [{ text: "ok" }]], [tool("t", "write", () => "ran")], {
    permit: async () => ({ type: "deny", reason: "The person said no: use the other file." }),
  });
  const { messages } = await no.ask("go");
  expect(messages[2]?.parts[0]).toMatchObject({
    status: "failed",
    content: "The person said no: use the other file.",
  });

  const stop = scenario([[{ call: "t" }, { call: "t" }]], [tool("t", "write", () => "ran")], {
    permit: async () => ({ type: "stop" }),
  });
  const stopped = await stop.ask("go");
  expect(stopped.outcome.type).toBe("aborted");
  expect(outline(stopped.messages)).toBe(
    "prompt | call:t call:t | return:t(cancelled) return:t(cancelled) | interrupted",
  );
});
