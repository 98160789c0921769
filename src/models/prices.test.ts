import { expect, test } from "bun:test";
import { PROVIDERS } from "./catalog.ts";
import { listModels } from "./list-models.ts";
import { modelFacts } from "./prices.ts";
import { resolveProvider } from "./resolve-provider.ts";
import type { ProviderEntries } from "./settings.ts";

const facts = (provider: string, model: string, providers: ProviderEntries = {}) =>
  modelFacts(resolveProvider(provider, { env: {}, providers }), model);

test("a model is found by its id", async () => {
  expect(await facts("anthropic", "claude-sonnet-5")).toEqual({
    contextWindow: 1_000_000,
    price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  });
});

test("a dated name finds its model", async () => {
  expect(await facts("anthropic", "claude-haiku-4-5-20251001")).toEqual(
    await facts("anthropic", "claude-haiku-4-5"),
  );
});

test("an unknown model has no price and no window", async () => {
  expect(await facts("openai", "no-such-model")).toEqual({});
  expect(await facts("ollama", "qwen3:8b")).toEqual({});
});

test("a local server under a vendor's name has the prices of exactly that vendor's models", async () => {
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

test("the list says what can be used here, and what has to be set for the rest", async () => {
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
    price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  });
  expect(models.every(({ name }) => name.includes("sonnet-5"))).toBe(true);
  expect(models.filter(({ name }) => name.startsWith("openrouter:")).every(({ usable }) => !usable)).toBe(
    true,
  );
});

const nobody = () => Promise.reject(new Error("nobody"));

test("the list begins with the defaults that can be used, then has the largest windows first", async () => {
  const env = { OPENAI_API_KEY: "k", MISTRAL_API_KEY: "k" };
  const models = await listModels({ env, fetch: nobody });
  const [first, second, ...rest] = models.map(({ name }) => name);
  expect([first, second]).toEqual(["openai:gpt-6-sol", "mistral:devstral-2512"]);
  expect(rest.slice(0, 3)).toEqual(["openai:gpt-6-luna", "openai:gpt-6-astra", "openai:gpt-5.6-terra"]);
  const usable = models.filter(({ usable }) => usable).length;
  expect(models.slice(0, usable - 1).every(({ usable }) => usable)).toBe(true);
  const windows = models
    .filter(({ name, isDefault }) => name.startsWith("openai:") && !isDefault)
    .map(({ contextWindow = 128_000 }) => contextWindow);
  expect(windows).toEqual(windows.toSorted((one, other) => other - one));
  expect(rest.at(-1)).toBe("demo:tour");
});

test("the list has every provider's default, and no model that is useless here", async () => {
  const models = await listModels({ env: {}, fetch: nobody });
  const defaults = PROVIDERS.flatMap(({ name, defaultModel }) =>
    defaultModel === undefined ? [] : [`${name}:${defaultModel}`],
  );
  expect(models.filter(({ isDefault }) => isDefault).map(({ name }) => name)).toEqual([
    ...defaults,
    "demo:tour",
  ]);
  const names = models.map(({ name }) => name);
  for (const other of [
    "openai:ada",
    "openai:davinci",
    "openai:text-davinci-003",
    "openai:ft:gpt-4o",
    "openai:gpt-4o-mini-tts",
    "openai:gpt-image-1",
    "openai:gpt-realtime-2",
    "openai:gpt-oss-safeguard-20b",
    "mistral:mistral-embed",
    "google:claude-opus-5",
    "google:gemini-3.1-flash-live-preview",
    "groq:llama-guard-3-8b",
  ])
    expect(names).not.toContain(other);
  expect(names).toContain("anthropic:claude-haiku-4-5");
  expect(names.indexOf("google:gemini-3.1-pro-preview")).toBeLessThan(names.indexOf("google:gemini-pro"));
  // What is left out of the list still has its price.
  expect((await facts("openai", "gpt-image-1")).price).toBeDefined();
});

test("a local server's models are listed as it names them", async () => {
  const models = await listModels({
    env: {},
    filter: "ollama:",
    fetch: async () => Response.json({ data: [{ id: "qwen3:8b" }] }),
  });
  expect(models.map(({ name, usable }) => [name, usable])).toEqual([["ollama:qwen3:8b", true]]);
});
