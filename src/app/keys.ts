// The API keys tunacode holds. Their exact values are masked for the model, on the screen and on disk.
import { PROVIDERS } from "../models/catalog.ts";
import type { ProviderEntries } from "../models/settings.ts";

export function secretValues(
  env: Readonly<Record<string, string | undefined>>,
  providers: ProviderEntries = {},
): string[] {
  const names = [
    ...PROVIDERS.flatMap((provider) => provider.keyNames),
    ...Object.values(providers).flatMap((entry) => (entry.apiKeyEnv === undefined ? [] : [entry.apiKeyEnv])),
  ];
  return names.flatMap((name) => env[name] ?? []);
}
