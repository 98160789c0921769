import { expect, test } from "bun:test";
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ModelRequest } from "../domain/model.ts";
import { callOptions } from "./call-options.ts";
import { modelFacts } from "./prices.ts";
import { resolveProvider } from "./resolve-provider.ts";
import type { ModelSettings } from "./settings.ts";

const HELLO: LanguageModelV4Prompt = [{ role: "user", content: [{ type: "text", text: "hi" }] }];

async function options(
  name: string,
  { prompt = HELLO, ...settings }: Partial<ModelSettings> & { prompt?: LanguageModelV4Prompt } = {},
  request: Partial<ModelRequest> = {},
) {
  const [providerName = "", model = ""] = name.split(":");
  const sources = { env: {}, ...settings };
  const provider = resolveProvider(providerName, sources);
  const facts = await modelFacts(provider, model);
  return callOptions(
    { provider, model, facts, settings: sources },
    { system: "", messages: [], tools: [], ...request },
    prompt,
  );
}

test.each([
  ["anthropic:claude-haiku-4-5", 32_000],
  ["anthropic:claude-sonnet-5", 160_000],
  ["anthropic:claude-3-5-sonnet", undefined],
  ["anthropic:glm-5", 32_000],
  ["openai:gpt-6-sol", undefined],
])("the longest answer of %s is left %p", async (name, expected) => {
  expect((await options(name)).maxOutputTokens).toBe(expected);
});

test("a length that was set is used", async () => {
  expect((await options("anthropic:claude-haiku-4-5", {}, { maxOutputTokens: 7 })).maxOutputTokens).toBe(7);
});

test.each([
  ["openai:gpt-6-sol", "off", "none"],
  ["groq:m", "off", undefined],
  ["groq:m", "high", "high"],
  ["anthropic:claude-haiku-4-5", "low", "low"],
  ["google:gemini-3.8-flash", undefined, undefined],
] as const)("%s thinking %p asks for %p", async (name, thinking, expected) => {
  expect((await options(name, { ...(thinking && { thinking }) })).reasoning).toBe(expected);
});

test("a tool loop that began without a thought continues without one, if the model requires it", async () => {
  const call = { type: "tool-call", toolCallId: "a", toolName: "bash", input: {} } as const;
  const result = {
    type: "tool-result",
    toolCallId: "a",
    toolName: "bash",
    output: { type: "text", value: "x" },
  } as const;
  const thought = { type: "reasoning", text: "hm" } as const;
  const loop = (...content: (typeof call | typeof thought)[]): LanguageModelV4Prompt => [
    ...HELLO,
    { role: "assistant", content },
    { role: "tool", content: [result] },
    { role: "assistant", content: [call] },
    { role: "tool", content: [result] },
  ];
  const asked = async (name: string, prompt: LanguageModelV4Prompt) =>
    (await options(name, { prompt, thinking: "low" })).reasoning;
  expect(await asked("anthropic:claude-haiku-4-5", loop(call))).toBeUndefined();
  expect(await asked("anthropic:claude-haiku-4-5", loop(thought, call))).toBe("low");
  expect(await asked("anthropic:claude-sonnet-5", loop(call))).toBe("low");
  expect(
    await asked("anthropic:claude-haiku-4-5", [
      ...loop(call),
      ...HELLO.slice(),
      { role: "assistant", content: [{ type: "text", text: "ok" }] },
      ...HELLO,
    ]),
  ).toBe("low");
});

test("OpenAI stores nothing of a conversation; a session's key routes to its cache", async () => {
  const { providerOptions } = await options("openai:gpt-6-sol", { cacheKey: "s1" });
  expect(providerOptions).toEqual({
    openai: { store: false, promptCacheKey: "s1", strictJsonSchema: false },
  });
});
