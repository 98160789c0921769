// The gate reports the exact place and what is wrong there. test/scenarios/models-gate.test.ts compares it with the
// strict server, to show that it finds everything a vendor refuses.
import { describe, expect, test } from "bun:test";
import { WireGateError } from "../../domain/error.ts";
import type { Wire } from "../settings.ts";
import { assertSendable, findViolations } from "./gate.ts";

function places(wire: Wire, body: object, model?: string): string[] {
  return findViolations(wire, JSON.stringify(body), model);
}

describe("openai-chat", () => {
  const chat = (...messages: object[]) => places("openai-chat", { model: "m", messages });
  const user = { role: "user", content: "hi" };
  const call = (id: string) => ({ id, type: "function", function: { name: "bash", arguments: "{}" } });
  const calling = (...ids: string[]) => ({ role: "assistant", content: null, tool_calls: ids.map(call) });
  const tool = (id: string) => ({ role: "tool", tool_call_id: id, content: "x" });

  test("a round of tools is fine", () => {
    expect(chat(user, calling("a", "b"), tool("b"), tool("a"), user)).toEqual([]);
  });
  test.each([
    [[user, calling("a"), user], "messages[2]: comes before an answer to a"],
    [[user, calling("a")], "messages: comes before an answer to a"],
    [[user, tool("a")], "messages[1]: answers no call: the message before it made none"],
    [
      [user, calling("a"), tool("b")],
      'messages[2].tool_call_id: is no open call of the response before it: "b"',
    ],
    [[user, calling("a", "a"), tool("a")], "messages[1].tool_calls[1].id: is used twice: a"],
    [[user, { role: "assistant" }], "messages[1].content: must not be missing where there are no tool calls"],
    [[], "messages: must not be empty"],
  ])("%j", (messages, expected) => {
    expect(chat(...(messages as object[]))[0]).toBe(expected);
  });
});

describe("anthropic", () => {
  const ask = (messages: object[], more: object = {}) =>
    places("anthropic", { model: "m", max_tokens: 9, tools: TOOLS, messages, ...more });
  const TOOLS = [{ name: "bash", input_schema: { type: "object" } }];
  const user = { role: "user", content: "hi" };
  const use = (id: string) => ({ type: "tool_use", id, name: "bash", input: {} });
  const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "x" });
  const says = (text: string) => ({ type: "text", text });
  const model = (...content: object[]) => ({ role: "assistant", content });
  const person = (...content: object[]) => ({ role: "user", content });
  const thinking = { type: "thinking", thinking: "hm", signature: "s" };

  test("a round of tools is fine", () => {
    expect(ask([user, model(thinking, use("a")), person(result("a"), says("go on"))])).toEqual([]);
  });
  test.each([
    [[user, model(use("a")), user], 'messages[2]: must answer the call "a"'],
    [
      [user, model(use("a")), person(says("x"), result("a"))],
      "messages[2].content[1]: must stand before everything that is no result",
    ],
    [[user, model(says(" ")), user], "messages[1].content[0].text: must hold words"],
    [
      [user, model(says("x"), thinking), user],
      "messages[1].content[1]: must not be the last block of its message",
    ],
    [[model(says("x")), user], "messages[0].role: must be user"],
  ])("%j", (messages, expected) => {
    expect(ask(messages)[0]).toBe(expected);
  });
  test("a thinking budget requires the running loop to begin with a thought", () => {
    const thinks = { max_tokens: 9_000, thinking: { type: "enabled", budget_tokens: 2_000 } };
    const loop = (first: object) => [user, first, person(result("a")), model(use("b")), person(result("b"))];
    expect(ask(loop(model(thinking, use("a"))), thinks)).toEqual([]);
    expect(ask(loop(model(use("a"))), thinks)[0]).toStartWith("messages[1].content[0]: must be thinking");
  });
});

describe("openai-responses", () => {
  const ask = (...input: object[]) => places("openai-responses", { model: "m", store: false, input });
  const user = { role: "user", content: "hi" };
  const call = { type: "function_call", call_id: "a", name: "bash", arguments: "{}" };
  const output = { type: "function_call_output", call_id: "a", output: "x" };
  const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "e" };

  test("a round of tools is fine", () => {
    expect(ask(user, reasoning, call, output)).toEqual([]);
  });
  test.each([
    [[user, call], "input: has no output for the call a"],
    [[user, output], "input[1].call_id: has no call before it: a"],
    [[user, call, output, output], "input[3].call_id: is answered twice: a"],
    [[user, reasoning, user], "input[1]: must be followed by the item it led to"],
    [[user, { ...reasoning, id: "x" }, call, output], "input[1].id: must begin with rs"],
  ])("%j", (input, expected) => {
    expect(ask(...(input as object[]))[0]).toBe(expected);
  });
});

describe("google", () => {
  const ask = (contents: object[], model?: string) => places("google", { contents }, model);
  const user = { role: "user", parts: [{ text: "hi" }] };
  const calling = { role: "model", parts: [{ functionCall: { name: "bash", args: {} } }] };
  const back = { role: "user", parts: [{ functionResponse: { name: "bash", response: {} } }] };

  test("a round of tools is fine", () => {
    expect(ask([user, calling, back])).toEqual([]);
  });
  test.each([
    [[user, calling, user], "contents[1]: calls 1 functions, so as many responses must come right after it"],
    [[user, back], "contents[1]: answers functions that the turn before didn't call"],
    [[calling, back], "contents[0].role: must be user"],
    [[user, { role: "user", parts: [] }], "contents[1].parts: must not be empty"],
    [[user, { role: "user", parts: [{ text: "" }] }], "contents[1].parts[0].text: must not be empty"],
  ])("%j", (contents, expected) => {
    expect(ask(contents)[0]).toBe(expected);
  });
  test("from Gemini 3 on a running call is signed", () => {
    expect(ask([user, calling, back], "gemini-3-pro")[0]).toContain("thought signature");
    expect(ask([user, calling, back, user], "gemini-3-pro")).toEqual([]);
    expect(ask([user, calling, back], "gemini-2.5-pro")).toEqual([]);
  });
});

test("a lone surrogate is found, a text that only looks like one is not", () => {
  const body = (text: string) => places("google", { contents: [{ role: "user", parts: [{ text }] }] });
  expect(body("cut \ud83d")).toEqual(["the body holds half a character"]);
  expect(body("whole 🐟")).toEqual([]);
  expect(body("written \\ud83d")).toEqual([]);
});

test("anything but a JSON object is refused", () => {
  const send = (body: unknown) => () => assertSendable("anthropic", body, "");
  expect(send("[]")).toThrow(WireGateError);
  expect(send("{")).toThrow("not JSON");
  expect(send(undefined)).toThrow("not text");
});

test("a role that every object has as a property is no role", () => {
  for (const role of ["constructor", "toString", "__proto__"]) {
    const said = [{ role, content: "hi" }];
    expect(places("openai-responses", { model: "m", input: said })).not.toEqual([]);
    expect(places("anthropic", { model: "m", max_tokens: 1, messages: said })).not.toEqual([]);
    expect(places("openai-chat", { model: "m", messages: said })).not.toEqual([]);
  }
});
