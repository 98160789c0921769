import { describe, expect, test } from "bun:test";
import { splitModelName } from "./model-name.ts";
import { isLocalAddress, isMissingKey, resolveProvider } from "./resolve-provider.ts";
import type { ProviderSources } from "./settings.ts";

/** "wire baseUrl" */
function address(name: string, sources: Partial<ProviderSources> = {}): string {
  const { wire, baseUrl } = resolveProvider(name, { env: {}, ...sources });
  return `${wire} ${baseUrl}`;
}

describe("an address", () => {
  test.each([
    ["openai", {}, "openai-responses https://api.openai.com/v1"],
    [
      "openai",
      { OPENAI_BASE_URL: "https://api.openai.com/v1/" },
      "openai-responses https://api.openai.com/v1",
    ],
    ["openai", { OPENAI_BASE_URL: "http://localhost:8080/v1" }, "openai-chat http://localhost:8080/v1"],
    ["anthropic", { ANTHROPIC_BASE_URL: "https://proxy.test" }, "anthropic https://proxy.test/v1"],
    ["anthropic", { ANTHROPIC_BASE_URL: "https://proxy.test/v1/" }, "anthropic https://proxy.test/v1"],
    ["google", { GOOGLE_GEMINI_BASE_URL: "https://proxy.test" }, "google https://proxy.test/v1beta"],
    ["google", { GOOGLE_GEMINI_BASE_URL: "https://proxy.test/v1beta" }, "google https://proxy.test/v1beta"],
    ["ollama", {}, "openai-chat http://127.0.0.1:11434/v1"],
    ["ollama", { OLLAMA_HOST: "0.0.0.0" }, "openai-chat http://127.0.0.1:11434/v1"],
    ["ollama", { OLLAMA_HOST: ":1234" }, "openai-chat http://127.0.0.1:1234/v1"],
    ["ollama", { OLLAMA_HOST: "box.local:99" }, "openai-chat http://box.local:99/v1"],
    ["ollama", { OLLAMA_HOST: "http://box:99" }, "openai-chat http://box:99/v1"],
  ])("%s with %j is %s", (name, env, expected) => {
    expect(address(name, { env: env as Record<string, string> })).toBe(expected);
  });

  test("--base-url wins over the environment, the environment over the config", () => {
    const providers = { openai: { baseUrl: "https://config.test/v1" } };
    expect(address("openai", { providers })).toBe("openai-chat https://config.test/v1");
    const env = { OPENAI_BASE_URL: "https://env.test/v1" };
    expect(address("openai", { providers, env })).toBe("openai-chat https://env.test/v1");
    expect(address("openai", { providers, env, baseUrl: "https://flag.test/v1" })).toBe(
      "openai-chat https://flag.test/v1",
    );
  });

  test("the config decides which wire is spoken", () => {
    const providers = { openai: { api: "openai-responses", baseUrl: "https://p.test/v1" } } as const;
    expect(address("openai", { providers })).toBe("openai-responses https://p.test/v1");
  });

  test("a configured provider is resolved", () => {
    const providers = { mine: { api: "anthropic", baseUrl: "https://p.test", apiKeyEnv: "MY_KEY" } } as const;
    const provider = resolveProvider("mine", { env: { MY_KEY: " k " }, providers });
    expect([provider.baseUrl, provider.apiKey, provider.local]).toEqual(["https://p.test/v1", "k", false]);
  });

  test.each([
    ["ftp://x", "base URL"],
    ["http://", "base URL"],
  ])("%s is refused", (baseUrl, words) => {
    expect(() => resolveProvider("openai", { env: {}, baseUrl })).toThrow(words);
  });
});

test("an unknown provider is named together with the known ones", () => {
  expect(() => resolveProvider("opnai", { env: {} })).toThrow(/"opnai".*openai.*providers/);
  expect(() => resolveProvider("mine", { env: {}, providers: { mine: { api: "google" } } })).toThrow(
    "base_url",
  );
});

test("the first variable that holds a key is taken", () => {
  const env = { GEMINI_API_KEY: "", GOOGLE_GENERATIVE_AI_API_KEY: "second" };
  expect(resolveProvider("google", { env }).apiKey).toBe("second");
});

test("a key is missing only at a vendor's own address", () => {
  const missing = (name: string, sources: Partial<ProviderSources> = {}) =>
    isMissingKey(resolveProvider(name, { env: {}, ...sources }));
  expect(missing("groq")).toBe(true);
  expect(missing("ollama")).toBe(false);
  expect(missing("openai", { baseUrl: "http://127.0.0.1:1/v1" })).toBe(false);
});

test.each([
  ["http://localhost:1", true],
  ["http://[::1]:1", true],
  ["http://192.168.1.5", true],
  ["http://172.20.0.1", true],
  ["http://172.40.0.1", false],
  ["https://api.openai.com", false],
  ["https://10.example.com", false],
])("%s is local: %p", (url, expected) => {
  expect(isLocalAddress(url)).toBe(expected);
});

test("a model's name may hold colons", () => {
  expect(splitModelName("ollama:qwen3:8b")).toEqual({ provider: "ollama", model: "qwen3:8b" });
});

test.each(["gpt-6", "openai:", ":m", ""])("%j is no model's name", (name) => {
  expect(() => splitModelName(name)).toThrow("provider:model");
});
