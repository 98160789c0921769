// Sends a request to a strict server without an SDK.
import type { JsonObject } from "../../../src/base/json.ts";
import { baseUrl } from "./route.ts";
import { validBodies } from "./valid-bodies/valid-bodies.ts";
import type { Wire } from "./wire.ts";

export interface Sent {
  readonly body?: JsonObject | string;
  readonly key?: string;
  readonly model?: string;
  readonly signal?: AbortSignal;
}

/** A valid streaming request by default. */
export function post(url: string, wire: Wire, sent: Sent = {}): Promise<Response> {
  const { key = "test-key", model = "strict-model" } = sent;
  const paths: Readonly<Record<Wire, string>> = {
    "openai-chat": "chat/completions",
    "openai-responses": "responses",
    anthropic: "messages",
    google: `models/${model}:streamGenerateContent?alt=sse`,
  };
  const keys: Readonly<Record<Wire, Record<string, string>>> = {
    "openai-chat": { authorization: `Bearer ${key}` },
    "openai-responses": { authorization: `Bearer ${key}` },
    anthropic: { "x-api-key": key, "anthropic-version": "2023-06-01" },
    google: { "x-goog-api-key": key },
  };
  const valid = validBodies(wire)[0]?.body ?? {};
  const body = sent.body ?? (wire === "google" ? valid : { ...valid, model, stream: true });
  return fetch(`${baseUrl(url, wire)}/${paths[wire]}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === "" ? {} : keys[wire]) },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(sent.signal === undefined ? {} : { signal: sent.signal }),
  });
}

/** status | type | code | message */
export async function refusal(response: Response): Promise<string> {
  const { error } = await response.json();
  return [response.status, error.type ?? error.status, error.code, error.message].join(" | ");
}
