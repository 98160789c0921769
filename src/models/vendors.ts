// The only place that knows the vendors' packages. Each is loaded when it is used; address and key are always
// passed, because the packages would otherwise read the environment themselves.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { defined } from "../base/defined.ts";
import { keepFinishReason } from "./odd-chunk.ts";
import type { ResolvedProvider } from "./resolve-provider.ts";
import type { Fetch } from "./settings.ts";

/** Sent if a server wants no key, because the packages refuse to send none. */
const NO_KEY = "none";

export async function loadVendor(
  { name, wire, baseUrl, atVendor, apiKey }: ResolvedProvider,
  model: string,
  send: Fetch,
): Promise<LanguageModelV4> {
  const settings = { baseURL: baseUrl, apiKey: apiKey ?? NO_KEY, fetch: asGlobalFetch(send) };
  switch (wire) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic(settings)(model);
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle(settings)(model);
    }
    case "openai-responses": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI(settings).responses(model);
    }
    case "openai-chat": {
      if (atVendor && name === "openai") {
        const { createOpenAI } = await import("@ai-sdk/openai");
        return createOpenAI(settings).chat(model);
      }
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        name,
        baseURL: baseUrl,
        fetch: settings.fetch,
        includeUsage: true,
        supportsStructuredOutputs: true,
        metadataExtractor: keepFinishReason,
        ...defined({ apiKey }),
      })(model);
    }
  }
}

/** The packages require the type of the global fetch, which has a method that nobody calls. */
function asGlobalFetch(send: Fetch): typeof fetch {
  return Object.assign(send, { preconnect: fetch.preconnect });
}
