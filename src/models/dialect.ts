// What one provider's wire wants its messages to look like, beyond the wire format as such.
import type { ResolvedProvider } from "./resolve-provider.ts";
import type { Wire } from "./settings.ts";

export interface Dialect {
  readonly provider: string;
  readonly model: string;
  readonly wire: Wire;
  /** Ids that may stand as they are; others are replaced by a fitting one. */
  readonly callId: RegExp;
  readonly toolName: RegExp;
  readonly imageTypes: readonly string[];
  /** Otherwise images of a tool result follow it in a user message. */
  readonly imagesInResults: boolean;
  /** Whether a model's own thinking is sent back to it. */
  readonly returnsThinking: boolean;
  /** Text may begin with a model's thoughts in <think> tags. */
  readonly thinkTags: boolean;
  readonly cacheMarks: boolean;
}

export function dialectOf(provider: ResolvedProvider, model: string): Dialect {
  const { wire } = provider;
  return {
    provider: provider.name,
    model,
    wire,
    callId: isMistral(provider) ? MISTRAL_CALL_ID : CALL_IDS[wire],
    toolName: TOOL_NAMES[wire],
    imageTypes: IMAGE_TYPES[wire],
    imagesInResults: wire === "anthropic" || wire === "openai-responses",
    returnsThinking: wire !== "openai-chat" || wantsReasoningContent(provider),
    thinkTags: wire === "openai-chat",
    cacheMarks: wire === "anthropic",
  };
}

const CALL_IDS: Readonly<Record<Wire, RegExp>> = {
  "openai-chat": /^[a-zA-Z0-9_-]{1,40}$/,
  "openai-responses": /^[a-zA-Z0-9_-]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  google: /^[a-zA-Z0-9_-]{1,64}$/,
};

const MISTRAL_CALL_ID = /^[a-zA-Z0-9]{9}$/;

/** Google's names must begin with a letter or an underscore; the narrower rule is good for all. */
const TOOL_NAMES: Readonly<Record<Wire, RegExp>> = {
  "openai-chat": /^[a-zA-Z0-9_-]{1,64}$/,
  "openai-responses": /^[a-zA-Z0-9_-]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  google: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
};

const COMMON_IMAGES = ["image/png", "image/jpeg", "image/webp"];
const IMAGE_TYPES: Readonly<Record<Wire, readonly string[]>> = {
  "openai-chat": [...COMMON_IMAGES, "image/gif"],
  "openai-responses": [...COMMON_IMAGES, "image/gif"],
  anthropic: [...COMMON_IMAGES, "image/gif"],
  google: [...COMMON_IMAGES, "image/heic", "image/heif"],
};

function isMistral({ name, baseUrl }: ResolvedProvider): boolean {
  return name === "mistral" || hostOf(baseUrl) === "api.mistral.ai";
}

/** Their thinking models answer a tool result only if the thoughts that led to the call come with it. */
const REASONING_CONTENT_HOSTS = ["api.deepseek.com", "api.moonshot.ai", "api.moonshot.cn"];

function wantsReasoningContent({ name, baseUrl }: ResolvedProvider): boolean {
  return name === "deepseek" || REASONING_CONTENT_HOSTS.includes(hostOf(baseUrl));
}

function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.hostname ?? "";
}
