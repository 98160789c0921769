// Server-sent events as text.
import type { JsonObject } from "../../../src/base/json.ts";

/** `event:` and `data:`, as Anthropic and OpenAI's Responses frame them. */
export function namedEvent(data: JsonObject & { readonly type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** `data:` alone, as the chat format and Google frame it. */
export function dataEvent(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

export const DONE = "data: [DONE]\n\n";
