import { expect, test } from "bun:test";
import { listModels } from "./list-models.ts";
import { modelFacts } from "./prices.ts";
import { resolveProvider } from "./resolve-provider.ts";
import type { ProviderEntries } from "./settings.ts";

const facts = (provider: string, model: string, providers: ProviderEntries = {}) =>
  modelFacts(resolveProvider(provider, { env: {}, providers }), model);

test("a model is found by its id", async () => {
  expect(await facts("anthropic", "claude-sonnet-5")).toEqual({
    contextWindow: 1_000_000,
    price: { input: 2, output: 10, cacheRead: 0.2 },
  });
});

test("a dated name finds its model", async () => {
  expect(await facts("anthropic", "claude-haiku-4-5-20251001")).toEqual(
    await facts("anthropic", "claude-haiku-4-5"),
  );
});

test("what nobody knows has no price and no window", async () => {
  expect(await facts("openai", "no-such-model")).toEqual({});
  expect(await facts("ollama", "qwen3:8b")).toEqual({});
});

test("a proxy on this machine has its vendor's models; anything else there is its owner's affair", async () => {
  const here = { baseUrl: "http://127.0.0.1:4000/v1" };
  const proxies = { anthropic: here, openai: here };
  expect(await facts("anthropic", "claude-sonnet-5", proxies)).toEqual(
    await facts("anthropic", "claude-sonnet-5"),
  );
  expect(await facts("anthropic", "claude-sonnet-5-of-mine", proxies)).toEqual({});
  expect(await facts("openai", "llama3", proxies)).toEqual({});
});

test("a person's own entry wins, field by field", async () => {
  const providers = {
    anthropic: { models: [{ id: "claude-sonnet-5", contextWindow: 5, input: 1, output: 2 }] },
  };
  expect(await facts("anthropic", "claude-sonnet-5", providers)).toEqual({
    contextWindow: 5,
    price: { input: 1, output: 2, cacheRead: 1 },
  });
  const windowOnly = { anthropic: { models: [{ id: "claude-sonnet-5", contextWindow: 5 }] } };
  expect((await facts("anthropic", "claude-sonnet-5", windowOnly)).price?.input).toBe(2);
});

test("the list says what can be used here, and what it would take", async () => {
  const models = await listModels({
    env: { ANTHROPIC_API_KEY: "k" },
    filter: "sonnet-5",
    fetch: () => Promise.reject(new Error("nobody")),
  });
  const found = models.find(({ name }) => name === "anthropic:claude-sonnet-5");
  expect(found).toEqual({
    name: "anthropic:claude-sonnet-5",
    usable: true,
    isDefault: true,
    keyNames: ["ANTHROPIC_API_KEY"],
    contextWindow: 1_000_000,
    price: { input: 2, output: 10, cacheRead: 0.2 },
  });
  expect(models.every(({ name }) => name.includes("sonnet-5"))).toBe(true);
  expect(models.filter(({ name }) => name.startsWith("openrouter:")).every(({ usable }) => !usable)).toBe(
    true,
  );
});

test("a local server's models are listed as it names them", async () => {
  const models = await listModels({
    env: {},
    filter: "ollama:",
    fetch: async () => Response.json({ data: [{ id: "qwen3:8b" }] }),
  });
  expect(models.map(({ name, usable }) => [name, usable])).toEqual([["ollama:qwen3:8b", true]]);
});
