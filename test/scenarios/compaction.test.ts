// A conversation can grow far beyond the window: early facts survive in summaries, and pairs are never cut.
import { expect, test } from "bun:test";
import { ProviderError } from "../../src/domain/error.ts";
import type { ModelRequest } from "../../src/domain/model.ts";
import { historyTokens } from "../../src/domain/tokens.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import type { ScriptedTurn } from "../../src/models/scripted.ts";
import { outline, scenario, tool } from "../support/scenario.ts";

const WINDOW = 4000;
/** As a summariser it keeps every FACT-n it sees, like a model; otherwise it does the work it is asked for. */
function summarising(work: (request: ModelRequest, call: number) => ScriptedTurn) {
  return (request: ModelRequest, call: number): ScriptedTurn => {
    if (request.tools.length > 0 || !request.system.startsWith("You condense")) return work(request, call);
    const facts = new Set(JSON.stringify(request.messages).match(/FACT-\d+/g));
    return [{ text: `Facts: ${[...facts].join(" ")}` }];
  };
}
const long = tool("long", "read", ({ n }) => `output ${n} ${"lorem ipsum ".repeat(60)}`);

test("a conversation grows to ten times the window over many turns", async () => {
  const run = scenario(
    summarising((request) => {
      const last = request.messages.at(-1);
      const returned = last?.parts.some((part) => part.kind === "tool-return");
      return returned ? [{ text: `noted ${"word ".repeat(30)}` }] : [{ call: "long", args: { n: 1 } }];
    }),
    [long],
    { contextWindow: WINDOW },
  );
  let total = 0;
  let compactions = 0;
  for (let turn = 0; turn < 180; turn++) {
    const { events, outcome, messages } = await run.ask(`remember FACT-${turn} ${"please ".repeat(20)}`);
    expect(outcome.type).toBe("completed");
    expect(checkHistory(messages)).toEqual([]);
    total += historyTokens(events.flatMap((event) => (event.type === "message-end" ? [event.message] : [])));
    compactions += events.filter((event) => event.type === "compaction" && event.summary !== null).length;
  }
  expect(total).toBeGreaterThan(10 * WINDOW);
  expect(compactions).toBeGreaterThan(5);
  expect(compactions).toBeLessThan(60);
  for (const request of run.requests) {
    expect(checkHistory(request.messages)).toEqual([]);
    expect(historyTokens(request.messages)).toBeLessThan(WINDOW);
  }
  const told = JSON.stringify(run.requests.at(-1)?.messages);
  for (let turn = 0; turn < 180; turn++) expect(told).toContain(`FACT-${turn}`);
});

test("the limit on the length of a response applies to a summary, too", async () => {
  const run = scenario(
    summarising(() => [{ text: "word ".repeat(1000) }]),
    [long],
    { contextWindow: WINDOW, loop: { maxOutputTokens: 7 } },
  );
  for (let turn = 0; turn < 5; turn++) await run.ask("go on");
  expect(run.requests.some(({ system }) => system.startsWith("You condense"))).toBe(true);
  expect(run.requests.filter(({ maxOutputTokens }) => maxOutputTokens !== 7)).toEqual([]);
});

test("one turn of many tool calls outgrows the window and still ends", async () => {
  const run = scenario(
    summarising((_request, call) =>
      call < 60 ? [{ text: `FACT-${call}` }, { call: "long", args: { n: call } }] : [{ text: "end" }],
    ),
    [long],
    { contextWindow: WINDOW },
  );
  const { outcome, messages } = await run.ask("remember FACT-999");
  expect(outcome.type).toBe("completed");
  expect(JSON.stringify(messages)).toContain("FACT-999");
  for (const request of run.requests) expect(checkHistory(request.messages)).toEqual([]);
});

test("old returns are cleared before anything is summarised", async () => {
  const big = tool("big", "read", () => "x".repeat(4000));
  const run = scenario([[{ call: "big" }], [{ text: "1" }], [{ call: "big" }], [{ text: "2" }]], [big], {
    contextWindow: 2200,
  });
  await run.ask("one");
  const { events, messages } = await run.ask("two");
  expect(events.filter((event) => event.type === "compaction").map((event) => event.summary)).toEqual([null]);
  expect(outline(messages)).toBe(
    "prompt | call:big | return:big(completed) | text | prompt | call:big | return:big(completed) | text",
  );
  expect(JSON.stringify(messages[2])).toContain("[Old tool result content cleared]");
  expect(JSON.stringify(messages[6])).toContain("xxxx");
});

test("after a vendor's overflow error the conversation is shortened once; a second one fails clearly and leaves a usable session", async () => {
  const overflow = { fail: new ProviderError("context_overflow", "prompt is too long", { status: 400 }) };
  let refuse = 0;
  const run = scenario(
    summarising(() => (refuse-- > 0 ? [overflow] : [{ text: `ok ${"word ".repeat(100)}` }])),
    [long],
  );
  for (let turn = 0; turn < 5; turn++) await run.ask(`FACT-${turn} ${"word ".repeat(100)}`);
  refuse = 1;
  const mended = await run.ask("go on");
  expect(mended.outcome.type).toBe("completed");
  expect(mended.events.some((event) => event.type === "compaction")).toBe(true);
  refuse = 99;
  const { outcome, messages } = await run.ask("again");
  expect(outcome).toMatchObject({ type: "failed", code: "context_overflow" });
  expect(checkHistory(messages)).toEqual([]);
  refuse = 0;
  expect((await run.ask("now")).outcome.type).toBe("completed");
});

test("a prompt that can never fit is refused with advice, without endless compaction", async () => {
  const run = scenario(
    summarising(() => [{ text: "ok" }]),
    [long],
    { contextWindow: 1000 },
  );
  const { outcome, messages } = await run.ask("word ".repeat(5000));
  expect(outcome).toMatchObject({
    type: "failed",
    code: "context_overflow",
    message: expect.stringContaining("larger window"),
  });
  expect(run.requests.length).toBeLessThan(4);
  expect(checkHistory(messages)).toEqual([]);
});

test("a return bigger than the whole window is shortened, and the request goes on", async () => {
  const huge = tool("huge", "read", ({ n }) => `begin ${n} ${"x".repeat(45_000)} end ${n}`);
  const run = scenario(
    summarising((_request, call) =>
      call === 0
        ? [
            { call: "huge", args: { n: 1 } },
            { call: "huge", args: { n: 2 } },
          ]
        : [{ text: "ok" }],
    ),
    [huge],
    { contextWindow: WINDOW },
  );
  const { outcome, messages } = await run.ask("read it");
  expect(outcome.type).toBe("completed");
  expect(historyTokens(run.requests.at(-1)?.messages ?? [])).toBeLessThan(WINDOW);
  const told = JSON.stringify(messages);
  for (const kept of ["begin 2", "end 2", "ask for less"]) expect(told).toContain(kept);
  expect(checkHistory(messages)).toEqual([]);
});

/** Turns of about 130 tokens until the window is nearly full; the summariser answers with `summary`. */
async function filled(summary: ScriptedTurn) {
  const run = scenario(
    (request) => (request.system.startsWith("You condense") ? summary : [{ text: "word ".repeat(50) }]),
    [long],
    { contextWindow: 1500 },
  );
  const outcomes: string[] = [];
  for (let turn = 0; turn < 10; turn++) outcomes.push((await run.ask("word ".repeat(50))).outcome.type);
  return { run, outcomes };
}

test("a summary that fails while there is still room causes a notice but doesn't fail the request", async () => {
  const { outcomes, run } = await filled([
    { fail: new ProviderError("provider_error", "no summaries today") },
  ]);
  expect(outcomes.slice(0, 10)).toEqual(Array(10).fill("completed"));
  const { events } = await run.ask("word ".repeat(50));
  expect(events.flatMap((event) => (event.type === "notice" ? [event.text] : [])).join()).toContain(
    "no summaries today",
  );
});

test("a summary longer than the text it replaces is not used", async () => {
  const { run } = await filled([{ text: "blah ".repeat(2000) }]);
  expect(JSON.stringify(run.manager.session.conversation.messages)).not.toContain("blah");
  expect(checkHistory(run.manager.session.conversation.messages)).toEqual([]);
});

test("the cost of a summary is counted", async () => {
  const usage = { requestTokens: 1000, responseTokens: 10, cachedTokens: 0 };
  const price = { input: 1, output: 1, cacheRead: 1 };
  const run = scenario(
    (request) => (request.tools.length > 0 ? [{ text: "word ".repeat(100) }] : [{ text: "S" }, { usage }]),
    [long],
    {
      contextWindow: 1000,
      price,
    },
  );
  for (let turn = 0; turn < 10; turn++) await run.ask("word ".repeat(60));
  expect(run.manager.session.usage.sessionTotal.cost).toBeGreaterThan(0);
});
