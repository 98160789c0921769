// Which values are secret, and how they are masked: enough stays to tell two keys apart, too little to use one.
import type { JsonValue } from "../base/json.ts";
import { PROVIDERS } from "../models/catalog.ts";
import type { ProviderEntries } from "../models/settings.ts";

const ADDRESS = /(?:_BASE_URL|_HOST)$/;
/** Four characters would give away too much of a shorter key. */
const SHORTEST_TOLD = 16;

/** A value of the configuration as it may be shown. */
export function maskedValue(key: string, value: JsonValue): JsonValue {
  if (typeof value !== "string") return value;
  if (key.startsWith("env.") && !ADDRESS.test(key)) return maskedKey(value);
  // An address may carry a password.
  return value.replace(/(\/\/[^/\s@:]*:)[^/\s@]+@/, "$1***@");
}

function maskedKey(value: string): string {
  return value.length < SHORTEST_TOLD ? "***" : `***${value.slice(-4)}`;
}

/** The environment variables that set a provider's key or address. */
export function providerVariables(
  env: Readonly<Record<string, string | undefined>>,
  providers: ProviderEntries,
): [string, string][] {
  const names = new Set([
    ...PROVIDERS.flatMap((provider) => [...provider.keyNames, ...provider.baseUrlNames]),
    ...Object.values(providers).flatMap((entry) => entry.apiKeyEnv ?? []),
  ]);
  return [...names].flatMap((name): [string, string][] => (env[name] ? [[name, env[name]]] : []));
}
