import { expect, test } from "bun:test";
import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { readUsage } from "./read-usage.ts";

function usage(input?: number, output?: number, cacheRead?: number, raw?: LanguageModelV4Usage["raw"]) {
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
    ...(raw !== undefined && { raw }),
  };
}

test("what the SDK read is used", () => {
  expect(readUsage(usage(10, 5, 4))).toEqual({ requestTokens: 10, responseTokens: 5, cachedTokens: 4 });
});

test("a vendor that says nothing updates nothing", () => {
  expect(readUsage(usage())).toBeNull();
});

test.each([[{ prompt_cache_hit_tokens: 4 }], [{ cached_tokens: 4 }], [{ cache_read_input_tokens: 4 }]])(
  "cached tokens are found in %j",
  (raw) => {
    expect(readUsage(usage(10, 5, 0, raw))?.cachedTokens).toBe(4);
  },
);

test.each([
  [{ input_tokens: 7, output_tokens: 3 }],
  [{ request_tokens: 7, response_tokens: 3 }],
  [{ prompt_eval_count: 7, eval_count: 3 }],
])("tokens are found in %j", (raw) => {
  expect(readUsage(usage(undefined, undefined, undefined, raw))).toEqual({
    requestTokens: 7,
    responseTokens: 3,
    cachedTokens: 0,
  });
});

test("tokens written to the cache are found, whoever counts them", () => {
  const written = { ...usage(10, 5), inputTokens: { ...usage(10).inputTokens, cacheWrite: 6 } };
  expect(readUsage(written)?.writtenTokens).toBe(6);
  expect(readUsage(usage(10, 5, 0, { cache_creation_input_tokens: 6 }))?.writtenTokens).toBe(6);
  expect(readUsage(usage(10, 5))).not.toHaveProperty("writtenTokens");
});
