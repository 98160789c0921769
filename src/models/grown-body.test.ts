import { expect, test } from "bun:test";
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Message } from "../domain/message.ts";
import { dialectOf } from "./dialect.ts";
import { createGrowBody, UnexpectedBodyError } from "./grown-body.ts";
import { resolveProvider } from "./resolve-provider.ts";
import { createPromptWriter } from "./to-prompt.ts";

const system = (content = "Be kind."): LanguageModelV4Message => ({ role: "system", content });
const says = (text: string): LanguageModelV4Message => ({ role: "user", content: [{ type: "text", text }] });

/** As the SDK writes for chat servers. */
function written(prompt: LanguageModelV4Prompt): string {
  const messages = prompt.map(({ role, content }) => ({
    role,
    content:
      typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join(),
  }));
  return JSON.stringify({ model: "m", messages, tools: [{ type: "function" }], stream: true });
}

test("only what is new is written, and the body is the one of all", () => {
  const grow = createGrowBody("openai-chat");
  const talk = Array.from({ length: 5 }, (_, index) => says(`"messages":[${index}]`));
  for (let length = 1; length <= talk.length; length++) {
    const whole = [system(), ...talk.slice(0, length)];
    const { prompt, complete } = grow(whole);
    expect(prompt).toEqual(length === 1 ? whole : [system(), ...talk.slice(length - 1, length)]);
    expect(complete(written(prompt))).toBe(written(whole));
  }
});

test("another beginning, another system prompt, or nothing new: all of it is written", () => {
  const grow = createGrowBody("openai-chat");
  const [one, two] = [says("one"), says("two")];
  grow([system(), one]).complete(written([system(), one]));
  for (const prompt of [
    [system(), one],
    [system(), says("one"), two],
    [system("Be quick."), one, two],
    [one, two],
    [system(), two, one],
  ])
    expect(grow(prompt).prompt).toBe(prompt);
  expect(grow([system(), one, two]).prompt).toHaveLength(2);
});

test("conversations side by side don't disturb each other", () => {
  const grow = createGrowBody("openai-chat");
  const talks = ["a", "b", "c"].map((name) => [system(), says(name), says(`${name} again`)]);
  for (const talk of talks) grow(talk.slice(0, 2)).complete(written(talk.slice(0, 2)));
  for (const talk of talks) {
    const { prompt, complete } = grow(talk);
    expect(prompt).toHaveLength(2);
    expect(complete(written(prompt))).toBe(written(talk));
  }
});

test("what can't be joined is said, never sent", () => {
  const grow = createGrowBody("openai-chat");
  const [one, two] = [says("one"), says("two")];
  const next = () => {
    grow([system(), one]).complete(written([system(), one]));
    return grow([system(), one, two]);
  };
  for (const body of [
    written([two]),
    written([system("Be quick."), two]),
    written([]),
    '{"model":"m"}',
    "no JSON",
    written([system(), two]).replace("{", "{ "),
  ])
    expect(() => next().complete(body)).toThrow(UnexpectedBodyError);
});

test("where the SDK looks at neighbours everything is written every time", () => {
  for (const wire of ["anthropic", "google"] as const) {
    const grow = createGrowBody(wire);
    const [one, two] = [says("one"), says("two")];
    grow([one]).complete('{"messages":[{}],"contents":[{}]}');
    expect(grow([one, two]).prompt).toHaveLength(2);
  }
});

test("the prompts of a growing conversation are known again", () => {
  const write = createPromptWriter(dialectOf(resolveProvider("ollama", { env: {} }), "m"));
  const grow = createGrowBody("openai-chat");
  const messages: Message[] = [];
  for (let turn = 0; turn < 5; turn++) {
    messages.push({ kind: "request", parts: [{ kind: "user-prompt", content: `Question ${turn}.` }] });
    const { prompt, complete } = grow(write({ system: "Be kind.", messages: [...messages], tools: [] }));
    complete(written(prompt));
    // The system prompt, the answer before and the question: however long the conversation is.
    expect(prompt.length).toBe(turn === 0 ? 2 : 3);
    messages.push({ kind: "response", parts: [{ kind: "text", content: `Answer ${turn}.` }] });
  }
});
