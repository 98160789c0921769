// Everything in a call besides the conversation: tools, length, thinking, and the options that each vendor needs.

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { defined } from "../base/defined.ts";
import type { ModelRequest } from "../domain/model.ts";
import type { ToolSpec } from "../domain/tool.ts";
import type { ModelFacts } from "./prices.ts";
import type { ResolvedProvider } from "./resolve-provider.ts";
import type { ModelSettings, Thinking } from "./settings.ts";
import { responseFormatOf } from "./structured-output.ts";

export type CallOptions = Omit<LanguageModelV4CallOptions, "abortSignal">;

interface CallSetup {
  readonly provider: ResolvedProvider;
  readonly model: string;
  readonly facts: ModelFacts;
  readonly settings: ModelSettings;
}

export function callOptions(
  setup: CallSetup,
  request: ModelRequest,
  prompt: LanguageModelV4Prompt,
): CallOptions {
  const maxOutputTokens = request.maxOutputTokens ?? defaultCap(setup);
  const reasoning = reasoningOf(setup, prompt);
  const responseFormat = responseFormatOf(setup.provider, setup.model, request);
  return {
    prompt,
    ...toolsOf(setup, request, prompt),
    ...defined({ maxOutputTokens, reasoning, responseFormat }),
    providerOptions: vendorOptions(setup, reasoning),
  };
}

/**
 * Anthropic refuses a prompt that leaves no room for the longest answer it may give, so the cap is the room that
 * stays free when the history is fitted into 80 % of the window. Servers that only speak its wire format get a cap
 * too, because the format requires one.
 */
export function defaultCap({ provider, model, facts }: Omit<CallSetup, "settings">): number | undefined {
  if (facts.maxOutput !== undefined) return facts.maxOutput;
  if (provider.wire !== "anthropic") return undefined;
  if (!model.includes("claude")) return UNKNOWN_MODEL_CAP;
  // Older models can't write that much; the SDK knows their limits.
  return /claude-[a-z]+-[4-9](-|$)/.test(model) && facts.contextWindow !== undefined
    ? Math.floor(facts.contextWindow * FREE_SHARE)
    : undefined;
}

const FREE_SHARE = 0.16;
const UNKNOWN_MODEL_CAP = 32_000;

type Reasoning = NonNullable<LanguageModelV4CallOptions["reasoning"]>;

function reasoningOf(
  { provider, model, settings }: CallSetup,
  prompt: LanguageModelV4Prompt,
): Reasoning | undefined {
  const { thinking } = settings;
  if (thinking === undefined) return undefined;
  // Chat servers have no common word for "off", but all of them accept silence.
  if (thinking === "off") return provider.wire === "openai-chat" ? undefined : "none";
  if (provider.wire === "anthropic" && isBudgetThinker(model) && isLoopWithoutThinking(prompt))
    return undefined;
  return thinking satisfies Exclude<Thinking, "off">;
}

/** Models before adaptive thinking (Claude 4.6): a tool loop begins with a thought or continues without thinking. */
function isBudgetThinker(model: string): boolean {
  return !/claude-[a-z]+-(4-[6-9]|[5-9])/.test(model);
}

/** True if another vendor began the loop, or if it began without thinking. */
function isLoopWithoutThinking(prompt: LanguageModelV4Prompt): boolean {
  const isResponse = ({ role }: LanguageModelV4Prompt[number]) => role === "assistant";
  const lastAnswer = prompt.findLastIndex(
    (message, at) => isResponse(message) && prompt[at + 1]?.role !== "tool",
  );
  const first = prompt.slice(lastAnswer + 1).find(isResponse);
  return first?.role === "assistant" && first.content[0]?.type !== "reasoning";
}

/**
 * Anthropic refuses calls in a conversation without tools. If there are no tools any more, those that the conversation
 * called are declared and must not be called.
 */
function toolsOf(
  { provider }: CallSetup,
  { tools, toolChoice }: ModelRequest,
  prompt: LanguageModelV4Prompt,
): ToolOptions {
  if (tools.length > 0) {
    const written = { tools: tools.map((tool) => writeTool(tool, provider)) };
    return toolChoice === undefined ? written : { ...written, toolChoice: { type: toolChoice } };
  }
  if (provider.wire !== "anthropic") return {};
  const parts = prompt.flatMap((message) => (message.role === "assistant" ? message.content : []));
  const names = new Set(parts.flatMap((part) => (part.type === "tool-call" ? [part.toolName] : [])));
  if (names.size === 0) return {};
  const parameters = { type: "object" };
  const named = [...names].map((name) => writeTool({ name, description: name, parameters }, provider));
  return { tools: named, toolChoice: { type: "none" } };
}

type ToolOptions = Pick<CallOptions, "tools" | "toolChoice">;

function writeTool(tool: ToolSpec, { wire }: ResolvedProvider): LanguageModelV4FunctionTool {
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: tool.parameters as LanguageModelV4FunctionTool["inputSchema"],
    // Responses is strict by default, and strict schemas have no optional parameters.
    ...(wire === "openai-responses" && { strict: false }),
  };
}

function vendorOptions(
  { provider, settings }: CallSetup,
  reasoning: Reasoning | undefined,
): SharedV4ProviderOptions {
  const thinks = reasoning !== undefined && reasoning !== "none";
  switch (provider.wire) {
    case "openai-responses":
      return {
        openai: {
          // The vendor stores nothing of a conversation; reasoning comes back encrypted.
          store: false,
          strictJsonSchema: false,
          ...defined({ promptCacheKey: settings.cacheKey }),
          ...(thinks && { reasoningSummary: "auto" }),
        },
      };
    case "anthropic":
      // A newer field that other servers with this wire format don't know.
      return { anthropic: { toolStreaming: provider.atVendor, structuredOutputMode: "outputFormat" } };
    case "google":
      return thinks ? { google: { thinkingConfig: { includeThoughts: true } } } : {};
    case "openai-chat": {
      const loose = { strictJsonSchema: false };
      return { openai: loose, openaiCompatible: loose };
    }
  }
}
