// An answer that has to fit a schema, by the library: what the model is asked, what is kept, and what is hidden.
import { expect, test } from "bun:test";
import { jsonAnswer } from "../../src/app/output-schema.ts";
import { createMask } from "../../src/base/secrets.ts";
import { checkHistory } from "../../src/history/grammar.ts";
import { outline, scenario, tool } from "../support/scenario.ts";

const outputSchema = { type: "object", properties: { fish: { type: "string" } }, required: ["fish"] };

test("a wrong answer is asked about again, and calls may come between", async () => {
  const turns = [
    [{ text: "A tuna." }],
    [{ call: "look" }],
    [{ text: '{"fish": 1}' }],
    [{ text: '```\n{"fish": "tuna"}\n```' }],
  ];
  const { ask, requests } = scenario(turns, [tool("look", "read", () => "tuna")]);
  const { outcome, messages } = await ask("which?", { outputSchema });
  expect(outcome.type).toBe("completed");
  expect(checkHistory(messages)).toEqual([]);
  expect(outline(messages)).toBe(
    "prompt | text | remark | call:look | return:look(completed) | text | remark | text",
  );
  expect(requests.map(({ toolChoice }) => toolChoice)).toEqual([undefined, undefined, undefined, "none"]);
  for (const request of requests) expect(request).toMatchObject({ outputSchema });
  expect(requests[0]?.system).toContain('"required":["fish"]');
});

test("after the third wrong answer the request fails, and the conversation goes on", async () => {
  const { ask, manager } = scenario([[{ text: "a" }], [{ text: "b" }], [{ text: "c" }], [{ text: "d" }]]);
  const { outcome } = await ask("which?", { outputSchema });
  expect(outcome).toMatchObject({ type: "failed", code: "output_schema" });
  expect((await ask("never mind")).outcome.type).toBe("completed");
  expect(checkHistory(manager.session.conversation.messages)).toEqual([]);
});

test("an empty response and a limit are what they are without a schema", async () => {
  const { ask } = scenario([[], [{ text: '{"fish": "tuna"}' }]]);
  expect((await ask("which?", { outputSchema })).outcome.type).toBe("completed");
  const limited = scenario([[{ call: "look" }], [{ text: "summed up" }]], [tool("look", "read", () => "x")], {
    loop: { maxIterations: 1 },
  });
  expect((await limited.ask("which?", { outputSchema })).outcome.type).toBe("limit");
});

test("jsonAnswer reads JSON alone or in one code fence", () => {
  expect(jsonAnswer(" [1] \n")).toEqual({ text: "[1]", value: [1] });
  expect(jsonAnswer("```JSON\n{}\n```")).toEqual({ text: "{}", value: {} });
  for (const text of ["Here: {}", "```\n{}\n``` done", "", "{", "[".repeat(600) + "]".repeat(600)])
    expect(jsonAnswer(text)).toBeNull();
});

test("a key in the arguments of a call runs as it is, and is hidden where it is shown", async () => {
  const key = "sk-0123456789";
  const ran: unknown[] = [];
  const turns = [[{ text: "ok " }, { call: "look", args: { key } }], [{ text: key }]];
  const looks = tool("look", "read", (args) => {
    ran.push(args);
    return "seen";
  });
  const { ask } = scenario(turns, [looks], { mask: createMask([key]) });
  const { events, messages } = await ask(`my key is ${key}`);
  expect(ran).toEqual([{ key }]);
  expect(JSON.stringify(events)).not.toContain(key);
  expect(JSON.stringify(messages.filter((message) => message.kind === "request"))).not.toContain(key);
});
