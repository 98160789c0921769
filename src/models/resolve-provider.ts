// From a provider's name to what a call needs: wire format, address, key. The catalog gives the defaults, the
// config overrides them, the environment and --base-url override the address.
import { defined } from "../base/defined.ts";
import { ConfigError } from "../domain/error.ts";
import { builtInProvider, PROVIDERS, type Provider } from "./catalog.ts";
import type { ProviderEntries, ProviderEntry, ProviderSources, Wire } from "./settings.ts";

export interface ResolvedProvider {
  readonly name: string;
  readonly wire: Wire;
  readonly baseUrl: string;
  /** The address is the vendor's own, not a proxy or a stand-in. */
  readonly atVendor: boolean;
  readonly apiKey?: string;
  readonly keyNames: readonly string[];
  /** On this machine or in this network: slower to answer, nothing to pay. */
  readonly local: boolean;
  readonly defaultModel?: string;
  readonly entry: ProviderEntry;
}

export function resolveProvider(name: string, sources: ProviderSources): ResolvedProvider {
  const entry = sources.providers?.[name] ?? {};
  const builtIn = builtInProvider(name);
  if (builtIn === undefined && (entry.api === undefined || entry.baseUrl === undefined))
    throw new ConfigError(unknownProvider(name, sources, entry));
  const configured = sources.baseUrl ?? fromEnvironment(builtIn, sources) ?? entry.baseUrl;
  const atVendor = builtIn !== undefined && isSameAddress(configured, builtIn);
  const wire = entry.api ?? defaultWire(builtIn, atVendor);
  const baseUrl = normaliseBaseUrl(configured ?? builtIn?.baseUrl ?? "", wire, builtIn);
  const keyNames = entry.apiKeyEnv === undefined ? (builtIn?.keyNames ?? []) : [entry.apiKeyEnv];
  const apiKey = keyNames.map((key) => sources.env[key]?.trim()).find((value) => value);
  return {
    name,
    wire,
    baseUrl,
    atVendor,
    keyNames,
    local: builtIn?.local === true || isLocalAddress(baseUrl),
    ...defined({ apiKey, defaultModel: builtIn?.defaultModel }),
    entry,
  };
}

/** The built-in ones in order, then the config's. --base-url is left out, because it belongs to the chosen one. */
export function allProviders({ env, providers = {} }: ProviderSources): ResolvedProvider[] {
  return knownNames(providers).map((name) => resolveProvider(name, { env, providers }));
}

function knownNames(providers: ProviderEntries): string[] {
  return [...new Set([...PROVIDERS.map(({ name }) => name), ...Object.keys(providers)])];
}

/** A vendor's own address needs a key; a proxy or stand-in may not. */
export function isMissingKey(provider: ResolvedProvider): boolean {
  return provider.apiKey === undefined && provider.atVendor && !provider.local;
}

/** localhost, or an address that never leaves the local network. */
export function isLocalAddress(baseUrl: string): boolean {
  const host = URL.parse(baseUrl)?.hostname.replace(/^\[|\]$/g, "") ?? "";
  return (
    /^(localhost|.*\.local|::1)$/.test(host) ||
    /^(127|10)\.\d+\.\d+\.\d+$/.test(host) ||
    /^192\.168\.\d+\.\d+$/.test(host) ||
    /^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/.test(host)
  );
}

function fromEnvironment(builtIn: Provider | undefined, { env }: ProviderSources): string | undefined {
  return builtIn?.baseUrlNames.map((name) => env[name]?.trim()).find((value) => value);
}

/** `openai:` speaks Responses at the vendor's own address and Chat Completions anywhere else. */
function defaultWire(builtIn: Provider | undefined, atVendor: boolean): Wire {
  if (builtIn?.wire === "openai-responses" && !atVendor) return "openai-chat";
  return builtIn?.wire ?? "openai-chat";
}

function isSameAddress(configured: string | undefined, builtIn: Provider): boolean {
  if (configured === undefined) return true;
  return URL.parse(withScheme(configured, builtIn))?.host === URL.parse(builtIn.baseUrl)?.host;
}

function normaliseBaseUrl(given: string, wire: Wire, builtIn: Provider | undefined): string {
  const url = URL.parse(withScheme(given, builtIn));
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConfigError(`${JSON.stringify(given)} is not a base URL. It looks like https://host/v1.`);
  // A server may listen on 0.0.0.0, but a client can't call that address.
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${versionedPath(path, wire, builtIn?.local === true)}${url.search}`;
}

function versionedPath(path: string, wire: Wire, local: boolean): string {
  if (wire === "anthropic") return path.endsWith("/v1") ? path : `${path}/v1`;
  if (wire === "google") return /\/v1(beta|alpha)?$/.test(path) ? path : `${path}/v1beta`;
  // OLLAMA_HOST and the like name only a host; the API is under /v1.
  return local && path === "" ? "/v1" : path;
}

/** OLLAMA_HOST may be `host`, `host:port` or `:port`; a bare host gets the provider's usual port. */
function withScheme(given: string, builtIn: Provider | undefined): string {
  const text = given.trim();
  if (/^[a-z]+:\/\//i.test(text) || text === "") return text;
  const address = text.startsWith(":") ? `127.0.0.1${text}` : text;
  const port = URL.parse(builtIn?.baseUrl ?? "")?.port;
  return `http://${/:\d/.test(address) || !port ? address : `${address}:${port}`}`;
}

function unknownProvider(name: string, sources: ProviderSources, entry: ProviderEntry): string {
  if (sources.providers?.[name] !== undefined) {
    const missing = entry.api === undefined ? "api" : "base_url";
    return `The provider ${JSON.stringify(name)} needs \`${missing}\` in the config (providers.${name}.${missing}).`;
  }
  const known = knownNames(sources.providers ?? {});
  return `No provider is called ${JSON.stringify(name)}. Known: ${known.join(", ")}. Others can be added under \`providers\` in the config.`;
}
