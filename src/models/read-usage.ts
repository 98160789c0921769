// Tokens of one call, whatever the vendor calls them. null: the vendor said nothing, so nothing is updated.
import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { defined } from "../base/defined.ts";
import { isJsonObject } from "../base/json.ts";
import type { Usage } from "../domain/usage.ts";

export function readUsage({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): Usage | null {
  const requestTokens = inputTokens.total ?? firstNumber(raw, REQUEST_NAMES);
  const responseTokens = outputTokens.total ?? firstNumber(raw, RESPONSE_NAMES);
  if (requestTokens === undefined && responseTokens === undefined) return null;
  const writtenTokens = inputTokens.cacheWrite || firstNumber(raw, WRITTEN_NAMES) || undefined;
  return {
    requestTokens: requestTokens ?? 0,
    responseTokens: responseTokens ?? 0,
    // 0 is also what the SDK says where it doesn't know a vendor's word for it.
    cachedTokens: inputTokens.cacheRead || (firstNumber(raw, CACHED_NAMES) ?? nestedCached(raw) ?? 0),
    ...defined({ writtenTokens }),
  };
}

const REQUEST_NAMES = ["prompt_tokens", "input_tokens", "request_tokens", "prompt_eval_count"];
const RESPONSE_NAMES = ["completion_tokens", "output_tokens", "response_tokens", "eval_count"];
/** DeepSeek, Moonshot, and the names other servers borrowed from the big vendors. */
const CACHED_NAMES = [
  "prompt_cache_hit_tokens",
  "cached_tokens",
  "cache_read_input_tokens",
  "cache_read_tokens",
  "cached_content_token_count",
];
const WRITTEN_NAMES = ["cache_creation_input_tokens", "cache_write_tokens"];

/** OpenAI's place for it, in a chunk that the SDK didn't take. */
function nestedCached(raw: unknown): number | undefined {
  return isJsonObject(raw) ? firstNumber(raw["prompt_tokens_details"], ["cached_tokens"]) : undefined;
}

function firstNumber(raw: unknown, names: readonly string[]): number | undefined {
  if (!isJsonObject(raw)) return undefined;
  for (const name of names) {
    const value = raw[name];
    if (typeof value === "number" && value >= 0) return value;
  }
  return undefined;
}
