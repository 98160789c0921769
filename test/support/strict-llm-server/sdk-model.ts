// A model of the AI SDK on a strict server, and the result of its stream. It proves that our streams are realistic.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { baseUrl } from "./route.ts";
import type { Wire } from "./wire.ts";

/** openai-compatible is the chat format again, by the package for servers other than OpenAI's. */
export type SdkWire = Wire | "openai-compatible";

export function sdkModel(url: string, wire: SdkWire, model: string, apiKey = "test-key"): LanguageModelV4 {
  const settings = { apiKey, baseURL: baseUrl(url, wire === "google" ? "google" : "openai-chat") };
  switch (wire) {
    case "openai-chat":
      return createOpenAI(settings).chat(model);
    case "openai-responses":
      return createOpenAI(settings).responses(model);
    case "openai-compatible":
      return createOpenAICompatible({ ...settings, name: "local", includeUsage: true }).chatModel(model);
    case "anthropic":
      return createAnthropic(settings)(model);
    case "google":
      return createGoogle(settings)(model);
  }
}

export interface Collected {
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: string }[];
  readonly finish: string | undefined;
  readonly input: number | undefined;
  readonly cached: number | undefined;
  readonly output: number | undefined;
  readonly errors: readonly unknown[];
  /** The answer in the form that the next prompt needs. */
  readonly message: LanguageModelV4Message;
}

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];

/** One streamed call. */
export async function ask(
  model: LanguageModelV4,
  prompt: LanguageModelV4Prompt,
  options: Partial<LanguageModelV4CallOptions> = {},
): Promise<Collected> {
  const { stream } = await model.doStream({ prompt, ...options });
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  const finish = parts.find((part) => part.type === "finish");
  const calls = parts.filter((part) => part.type === "tool-call");
  return {
    text: parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join(""),
    thoughts: parts.map((part) => (part.type === "reasoning-delta" ? part.delta : "")).join(""),
    calls: calls.map((part) => ({ id: part.toolCallId, name: part.toolName, input: part.input })),
    finish: finish?.finishReason.unified,
    input: finish?.usage.inputTokens.total,
    cached: finish?.usage.inputTokens.cacheRead,
    output: finish?.usage.outputTokens.total,
    errors: parts.flatMap((part) => (part.type === "error" ? [part.error] : [])),
    message: { role: "assistant", content: contentOf(parts) },
  };
}

function contentOf(parts: readonly LanguageModelV4StreamPart[]): AssistantContent {
  const content: AssistantContent = [];
  for (const [index, part] of parts.entries()) {
    if (part.type === "tool-call") {
      const { toolCallId, toolName, input, providerMetadata: providerOptions } = part;
      const details = providerOptions === undefined ? {} : { providerOptions };
      content.push({ type: "tool-call", toolCallId, toolName, input: JSON.parse(input), ...details });
    } else if (part.type === "text-start")
      content.push({ type: "text", ...wordsOf(parts.slice(index), part.id, "text") });
    else if (part.type === "reasoning-start") {
      content.push({ type: "reasoning", ...wordsOf(parts.slice(index), part.id, "reasoning") });
    }
  }
  return content;
}

/** Ids may be reused once a block has ended, so a block is read up to its end. */
function wordsOf(parts: readonly LanguageModelV4StreamPart[], id: string, kind: "text" | "reasoning") {
  let text = "";
  let providerOptions = {};
  for (const part of parts) {
    if (!part.type.startsWith(`${kind}-`) || !("id" in part) || part.id !== id) continue;
    if ("delta" in part) text += part.delta;
    if ("providerMetadata" in part) providerOptions = { ...providerOptions, ...part.providerMetadata };
    if (part.type === `${kind}-end`) break;
  }
  return { text, providerOptions };
}
