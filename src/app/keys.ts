// The API keys tunacode holds. Their exact values are masked for the model, on the screen and on disk.
import { createMask, type Mask, NO_MASK } from "../base/secrets.ts";
import type { Environment } from "../base/xdg.ts";
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

export interface KeyMask extends Mask {
  /** Keys that were known before stay masked. */
  readonly learn: (env: Environment, providers?: ProviderEntries) => void;
}

/** Masks the keys that it has learned, because a person may change one while the agent is open. */
export function keyMask(): KeyMask {
  const known = new Set<string>();
  let mask = NO_MASK;
  const learn: KeyMask["learn"] = (env, providers) => {
    const before = known.size;
    for (const value of secretValues(env, providers)) known.add(value);
    if (known.size > before) mask = createMask(known);
  };
  return Object.assign((text: string) => mask(text), {
    openEnd: (text: string) => mask.openEnd(text),
    learn,
  });
}
