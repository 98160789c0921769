// Everything of one call that is not the conversation: tools, length, thinking, and what each vendor needs to
// be told besides.

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

export type CallOptions = Omit<LanguageModelV4CallOptions, "abortSignal">;

export interface CallSetup {
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
  return {
    prompt,
    ...toolsOf(setup, request, prompt),
    ...defined({ maxOutputTokens, reasoning }),
    providerOptions: vendorOptions(setup, reasoning),
  };
}

/**
 * Anthropic refuses a prompt that leaves no room for the longest answer it was promised, so the promise is kept
 * to the room that stays free when the history is fitted into the window (80 % of it). Servers that only speak
 * its wire are given a length too, since its format wants one.
 */
function defaultCap({ provider, model, facts }: CallSetup): number | undefined {
  if (facts.maxOutput !== undefined) return facts.maxOutput;
  if (provider.wire !== "anthropic") return undefined;
  if (!model.includes("claude")) return UNKNOWN_MODEL_CAP;
  // Older ones can't write that much; the SDK knows their limits.
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
  // Chat servers know no common word for "off"; saying nothing is what all of them take.
  if (thinking === "off") return provider.wire === "openai-chat" ? undefined : "none";
  if (provider.wire === "anthropic" && isBudgetThinker(model) && isLoopWithoutThinking(prompt))
    return undefined;
  return thinking satisfies Exclude<Thinking, "off">;
}

/** Before adaptive thinking (Claude 4.6) a running tool loop had to begin with a thought, or go on without. */
function isBudgetThinker(model: string): boolean {
  return !/claude-[a-z]+-(4-[6-9]|[5-9])/.test(model);
}

/** The loop was begun by another vendor, or without thinking. */
function isLoopWithoutThinking(prompt: LanguageModelV4Prompt): boolean {
  let first: LanguageModelV4Prompt[number] | undefined;
  for (let index = prompt.length - 1; index >= 0; index--) {
    const message = prompt[index];
    if (message?.role !== "assistant") continue;
    if (prompt[index + 1]?.role !== "tool") break;
    first = message;
  }
  return first?.role === "assistant" && first.content[0]?.type !== "reasoning";
}

/**
 * Anthropic refuses calls in a conversation without tools. Where there are none any more, those of the conversation
 * are named and ruled out.
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
  const names = new Set(
    prompt.flatMap((message) =>
      message.role === "assistant"
        ? message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolName] : []))
        : [],
    ),
  );
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
    // Responses is strict unless told otherwise, and strict knows no optional parameters.
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
          // Nothing of a conversation stays with the vendor; reasoning comes back to us encrypted.
          store: false,
          ...defined({ promptCacheKey: settings.cacheKey }),
          ...(thinks && { reasoningSummary: "auto" }),
        },
      };
    case "anthropic":
      // A newer field of the tools that servers speaking its wire don't know.
      return { anthropic: { toolStreaming: provider.atVendor } };
    case "google":
      return thinks ? { google: { thinkingConfig: { includeThoughts: true } } } : {};
    case "openai-chat":
      return {};
  }
}
