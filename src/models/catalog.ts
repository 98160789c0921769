// The providers we know by name. The first one whose key is in the environment is the default.
import type { Wire } from "./settings.ts";

export interface Provider {
  readonly name: string;
  readonly wire: Wire;
  readonly baseUrl: string;
  /** Environment variables that may hold the key, the preferred one first. */
  readonly keyNames: readonly string[];
  readonly baseUrlNames: readonly string[];
  /** Used if a person names no model. A local server has none; its first model is used instead. */
  readonly defaultModel?: string;
  /** Runs on the person's own machine: needs no key, may load a model for minutes, costs nothing. */
  readonly local: boolean;
}

export const DEMO_PROVIDER = "demo";

export const PROVIDERS: readonly Provider[] = [
  {
    name: "openai",
    wire: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    keyNames: ["OPENAI_API_KEY"],
    baseUrlNames: ["OPENAI_BASE_URL"],
    defaultModel: "gpt-6-sol",
    local: false,
  },
  {
    name: "anthropic",
    wire: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    keyNames: ["ANTHROPIC_API_KEY"],
    baseUrlNames: ["ANTHROPIC_BASE_URL"],
    defaultModel: "claude-sonnet-5",
    local: false,
  },
  {
    name: "google",
    wire: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyNames: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    baseUrlNames: ["GOOGLE_GEMINI_BASE_URL"],
    defaultModel: "gemini-3.8-flash",
    local: false,
  },
  cloudChat("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", "anthropic/claude-sonnet-5"),
  cloudChat("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", "openai/gpt-oss-120b"),
  cloudChat("deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", "deepseek-v4-pro"),
  cloudChat("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", "devstral-2512"),
  cloudChat("xai", "https://api.x.ai/v1", "XAI_API_KEY", "grok-4.6"),
  localChat("ollama", "http://127.0.0.1:11434/v1", "OLLAMA_API_KEY", "OLLAMA_HOST"),
  localChat("lmstudio", "http://127.0.0.1:1234/v1", "LMSTUDIO_API_KEY", "LMSTUDIO_BASE_URL"),
  localChat("llamacpp", "http://127.0.0.1:8080/v1", "LLAMACPP_API_KEY", "LLAMACPP_BASE_URL"),
  localChat("vllm", "http://127.0.0.1:8000/v1", "VLLM_API_KEY", "VLLM_BASE_URL"),
];

export function builtInProvider(name: string): Provider | undefined {
  return PROVIDERS.find((provider) => provider.name === name);
}

function cloudChat(name: string, baseUrl: string, keyName: string, defaultModel: string): Provider {
  return { ...chat(name, baseUrl, keyName), baseUrlNames: [], defaultModel, local: false };
}

function localChat(name: string, baseUrl: string, keyName: string, baseUrlName: string): Provider {
  return { ...chat(name, baseUrl, keyName), baseUrlNames: [baseUrlName], local: true };
}

function chat(name: string, baseUrl: string, keyName: string) {
  return { name, wire: "openai-chat", baseUrl, keyNames: [keyName] } as const;
}
