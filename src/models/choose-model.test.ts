import { expect, test } from "bun:test";
import { PROVIDERS } from "./catalog.ts";
import { chooseModel, type ModelWish } from "./choose-model.ts";
import { modelFacts } from "./prices.ts";
import { resolveProvider } from "./resolve-provider.ts";
import type { Fetch } from "./settings.ts";

const nobody: Fetch = () => Promise.reject(new Error("nobody is there"));

async function choose(choice: Partial<ModelWish>): Promise<string> {
  const { name, because } = await chooseModel({ env: {}, fetch: nobody, ...choice });
  return `${name} (${because})`;
}

/** Local servers by port. */
const serving =
  (lists: Record<string, unknown>): Fetch =>
  async (input) => {
    const list = lists[new URL(String(input)).port];
    return list === undefined ? nobody(input) : Response.json(list);
  };

const list = (...ids: string[]) => ({ object: "list", data: ids.map((id) => ({ id })) });

const env = { GROQ_API_KEY: "k", MISTRAL_API_KEY: "k" };

test("the model that is asked for comes first, then the session's, then the config's", async () => {
  const all = { asked: "groq:b", resumed: "c:d", configured: "e:f", env };
  expect(await choose(all)).toBe("groq:b (asked)");
  expect(await choose({ ...all, asked: "" })).toBe("c:d (resumed)");
  expect(await choose({ configured: "e:f", env })).toBe("e:f (configured)");
});

test("a model that is asked for must belong to a known provider", async () => {
  await expect(choose({ asked: "grok:b", env })).rejects.toThrow('No provider is called "grok"');
  await expect(choose({ asked: "b", env })).rejects.toThrow('"b" is not a model\'s name');
  expect(await choose({ asked: "demo:tour", env })).toBe("demo:tour (asked)");
});

test("otherwise the first provider of the catalog whose key is set is chosen", async () => {
  expect(await choose({ env })).toBe("groq:openai/gpt-oss-120b (key)");
  expect(await choose({ env: { ...env, ANTHROPIC_API_KEY: "k" } })).toBe("anthropic:claude-sonnet-5 (key)");
});

test("a configured provider with a key and models comes after the built-in ones", async () => {
  const providers = {
    mine: { api: "google", baseUrl: "https://p.test", apiKeyEnv: "K", models: ["m1"] },
  } as const;
  expect(await choose({ env: { K: "k" }, providers })).toBe("mine:m1 (key)");
  expect(await choose({ env: { K: "k", ...env }, providers })).toBe("groq:openai/gpt-oss-120b (key)");
});

test("otherwise a local server is chosen, if it answers with a valid list of models", async () => {
  const fetch = serving({
    11434: { error: "no" },
    1234: "<html>",
    8080: list(),
    8000: list("qwen", "other"),
  });
  expect(await choose({ fetch })).toBe("vllm:qwen (local)");
  expect(await choose({ fetch: serving({ 11434: list("a"), 8000: list("b") }) })).toBe("ollama:a (local)");
});

test("a server that answers too slowly is ignored", async () => {
  const slow: Fetch = (_, init) =>
    new Promise((_resolve, reject) =>
      init?.signal?.addEventListener("abort", () => reject(new Error("late"))),
    );
  await expect(choose({ fetch: slow })).rejects.toThrow("no model to use");
});

test("otherwise a person is told what to do", async () => {
  await expect(choose({})).rejects.toThrow(
    /tunacode demo.*\n.*ANTHROPIC_API_KEY.*setup.*\n.*ollama.*--model/,
  );
});

test("a provider alone means its default model", async () => {
  expect(await choose({ asked: "anthropic" })).toBe("anthropic:claude-sonnet-5 (asked)");
  expect(await choose({ asked: "ollama", fetch: serving({ 11434: list("qwen") }) })).toBe(
    "ollama:qwen (asked)",
  );
  await expect(choose({ asked: "ollama" })).rejects.toThrow("ollama:MODEL");
});

test("every default model has a price and a window", async () => {
  for (const { name, defaultModel, local } of PROVIDERS) {
    if (local) continue;
    const facts = await modelFacts(resolveProvider(name, { env: {} }), defaultModel ?? "");
    expect([name, typeof facts.price?.input, typeof facts.contextWindow]).toEqual([name, "number", "number"]);
  }
});
