// What a provider demands of its messages beyond the wire format.
import type { ResolvedProvider } from "./resolve-provider.ts";
import type { Wire } from "./settings.ts";

export interface Dialect {
  readonly provider: string;
  readonly model: string;
  readonly wire: Wire;
  /** Ids that may be sent unchanged; others are replaced. */
  readonly callId: RegExp;
  readonly toolName: RegExp;
  readonly imageTypes: readonly string[];
  /** If not, the images of a tool result follow it in a user message. */
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
    callId: callIdOf(provider),
    toolName: wire === "google" ? GOOGLE_NAME : NAME,
    imageTypes: [...COMMON_IMAGES, ...(wire === "google" ? ["image/heic", "image/heif"] : ["image/gif"])],
    imagesInResults: wire === "anthropic" || wire === "openai-responses",
    returnsThinking: wire !== "openai-chat" || wantsReasoningContent(provider),
    thinkTags: wire === "openai-chat",
    cacheMarks: wire === "anthropic",
  };
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const SHORT_NAME = /^[a-zA-Z0-9_-]{1,40}$/;
const MISTRAL_CALL_ID = /^[a-zA-Z0-9]{9}$/;
/** A name must begin with a letter or an underscore. */
const GOOGLE_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const COMMON_IMAGES = ["image/png", "image/jpeg", "image/webp"];

function callIdOf(provider: ResolvedProvider): RegExp {
  if (isMistral(provider)) return MISTRAL_CALL_ID;
  return provider.wire === "openai-chat" ? SHORT_NAME : NAME;
}

function isMistral({ name, baseUrl }: ResolvedProvider): boolean {
  return name === "mistral" || hostOf(baseUrl) === "api.mistral.ai";
}

/** Their thinking models answer a tool result only if the thoughts that led to the call are sent along. */
const REASONING_CONTENT_HOSTS = ["api.deepseek.com", "api.moonshot.ai", "api.moonshot.cn"];

function wantsReasoningContent({ name, baseUrl }: ResolvedProvider): boolean {
  return name === "deepseek" || REASONING_CONTENT_HOSTS.includes(hostOf(baseUrl));
}

function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.hostname ?? "";
}
