// Empty and cut-off responses: the person is told, the model is asked again, a cut-off call never runs.
import { expect, test } from "bun:test";
import { EmptyResponseError } from "../../src/domain/error.ts";
import type { AgentEvent } from "../../src/domain/event.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import type { ScriptedTurn } from "../../src/models/scripted.ts";
import { outline, scenario, tool } from "../support/scenario.ts";

const notices = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "notice" ? [event.text] : []));

test.each<[string, ScriptedTurn]>([
  ["nothing", []],
  ["blank text", [{ text: " \n" }]],
  ["thinking only", [{ thought: "hmm" }]],
])("a response with %s is asked for again with a nudge", async (_name, turn) => {
  const { ask, requests, manager } = scenario([turn, [{ text: "here" }]]);
  const { outcome, messages, events } = await ask(`explain ${"x".repeat(300)}`);
  expect(outcome.type).toBe("completed");
  expect(outline(messages)).toBe("prompt | text");
  expect(outline(requests[1]?.messages ?? [])).toBe("prompt remark");
  const [notice] = notices(events);
  expect(notice).toContain(`Asked: explain ${"x".repeat(192)}...`);
  expect(notice).toContain("Last tools: no tools yet");
  expect(manager.session.runtime.consecutiveEmptyResponses).toBe(0);
});

test("the notice names the last three tools", async () => {
  const tools = ["a", "b", "c", "d"].map((name) => tool(name, "read", () => "ok"));
  const calls = tools.map(({ name }) => ({ call: name }));
  const { events } = await scenario([calls, [], [{ text: "ok" }]], tools).ask("x");
  expect(notices(events)[0]).toContain("Last tools: b, c, d");
});

test("after three nudges in a row the request ends with a clear error and a valid history", async () => {
  const { ask, requests } = scenario(() => []);
  const { outcome, messages, events } = await ask("x");
  expect(requests.length).toBe(4);
  const asksAgain = notices(events).map((notice) => notice.includes("It is being asked again."));
  expect(asksAgain).toEqual([true, true, true, false]);
  expect(outcome).toMatchObject({
    type: "failed",
    code: "empty_response",
    error: expect.any(EmptyResponseError),
  });
  expect(outline(messages)).toBe("prompt | interrupted");
  expect(checkHistory(messages)).toEqual([]);
});

test("a response that used up its limit while thinking is reported as empty", async () => {
  const { ask, requests } = scenario([[{ thought: "long" }, { finish: "length" }], [{ text: "ok" }]]);
  await ask("x");
  expect(JSON.stringify(requests[1]?.messages)).toContain("reached the output limit");
});

test("a text cut off by the output limit is kept, and the person is told", async () => {
  const { messages, outcome, events } = await scenario([[{ text: "half an ans" }, { finish: "length" }]]).ask(
    "x",
  );
  expect(outline(messages)).toBe("prompt | text");
  expect(outcome.type).toBe("completed");
  expect(notices(events)[0]).toContain("cut off");
});

test("a content filter that cuts off or withholds an answer is named", async () => {
  const cut = await scenario([[{ text: "half an ans" }, { finish: "content-filter" }]]).ask("x");
  expect(outline(cut.messages)).toBe("prompt | text");
  expect(notices(cut.events)).toEqual([expect.stringContaining("cut off by the vendor's content filter")]);
  const held = await scenario([[{ finish: "content-filter" }], [{ text: "ok" }]]).ask("x");
  expect(notices(held.events)[0]).toStartWith("The vendor's content filter held the answer back.");
});

test.each<[string, ScriptedTurn]>([
  [
    "broken arguments",
    [{ call: "a", args: { n: 1 } }, { call: "b", rawArgs: '{"text": "unfin' }, { finish: "length" }],
  ],
  ["arguments that never began", [{ call: "a", args: { n: 1 } }, { call: "b" }, { finish: "length" }]],
])(
  "a call cut off with %s never runs, the complete one before it does, and the model is told",
  async (_name, turn) => {
    const ran: string[] = [];
    const tools = ["a", "b"].map((name) => tool(name, "write", () => `${ran.push(name)}`));
    const { messages } = await scenario([turn, [{ text: "ok" }]], tools).ask("x");
    expect(ran).toEqual(["a"]);
    expect(outline(messages)).toBe("prompt | call:a call:b | return:a(completed) return:b(failed) | text");
    expect(JSON.stringify(messages[2])).toContain("cut off by the output limit");
  },
);

test("a last call whose arguments are complete runs although the limit was reached", async () => {
  const ran: unknown[] = [];
  const b = tool("b", "write", (args) => `${ran.push(args)}`);
  await scenario([[{ call: "b", args: { n: 1 } }, { finish: "length" }], [{ text: "ok" }]], [b]).ask("x");
  expect(ran).toEqual([{ n: 1 }]);
});
