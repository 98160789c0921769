// Which wire format, model and form an address asks for. The match is exact: a doubled /v1 is a 404, as at the vendor.
import type { Wire } from "./wire.ts";

export type Route =
  | { readonly kind: "call"; readonly wire: Wire; readonly model?: string; readonly streams?: boolean }
  | { readonly kind: "models"; readonly wire: Wire }
  | { readonly kind: "nothing" };

const CALLS: Readonly<Record<string, Wire>> = {
  "/v1/chat/completions": "openai-chat",
  "/v1/responses": "openai-responses",
  "/v1/messages": "anthropic",
};

export function routeOf(method: string, url: URL, headers: Headers): Route {
  const { pathname } = url;
  if (method === "GET" && pathname === "/v1/models") {
    return { kind: "models", wire: headers.has("anthropic-version") ? "anthropic" : "openai-chat" };
  }
  if (method === "GET" && pathname === "/v1beta/models") return { kind: "models", wire: "google" };
  if (method !== "POST") return { kind: "nothing" };
  const wire = CALLS[pathname];
  if (wire !== undefined) return { kind: "call", wire };
  const match = /^\/v1beta\/models\/([^/:]+):(streamGenerateContent|generateContent)$/.exec(pathname);
  if (match === null) return { kind: "nothing" };
  const [, model = "", form] = match;
  return { kind: "call", wire: "google", model, streams: form === "streamGenerateContent" };
}

export function baseUrl(url: string, wire: Wire): string {
  return `${url}/${wire === "google" ? "v1beta" : "v1"}`;
}
