// What the rest of the program decides about a model call, as plain values: this room reads neither config nor
// environment itself.

import type { Backoff } from "../base/backoff.ts";
import type { Environment } from "../base/xdg.ts";
import type { ModelName } from "../domain/ids.ts";
import type { Model } from "../domain/model.ts";

/** The four wire formats we speak. */
export type Wire = "openai-chat" | "openai-responses" | "anthropic" | "google";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export type Thinking = "off" | "low" | "medium" | "high";

export interface Timeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
  /** How long a silence lasts before a person is told what is awaited. */
  readonly noticeMs: number;
}

/** `providers.NAME` of the config, in camelCase. A built-in provider's fields can be overridden one by one. */
export interface ProviderEntry {
  readonly api?: Wire;
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
  readonly models?: readonly (string | ModelEntry)[];
}

/** A model as a person describes it in the config; prices in dollars per million tokens. */
export interface ModelEntry {
  readonly id: string;
  readonly contextWindow?: number;
  readonly maxOutput?: number;
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export type ProviderEntries = Readonly<Record<string, ProviderEntry>>;

/** Where a provider is found: the environment (the config's `env` already merged in) and the config. */
export interface ProviderSources {
  readonly env: Environment;
  readonly providers?: ProviderEntries;
  /** --base-url, which applies to the provider of the chosen model. */
  readonly baseUrl?: string;
}

interface CallSettings {
  readonly timeouts?: Partial<Timeouts>;
  readonly maxRetries?: number;
  /** Absent: the vendor's default. */
  readonly thinking?: Thinking;
}

/** What a person chose about models: `settings.models` of an agent. */
export interface ModelPreferences extends Omit<ProviderSources, "env">, CallSettings {
  /** --model. A provider alone means its default model. */
  readonly asked?: ModelName;
  /** The config's `default_model`. */
  readonly configured?: ModelName;
  /** Answer when the chosen one can't, in this order. */
  readonly fallback?: readonly ModelName[];
  /** Writes summaries. */
  readonly small?: ModelName;
  /** Waited before every call, for providers that limit calls per minute. */
  readonly delayMs?: number;
  /** Replaces a vendor's model in the demo and in tests. */
  readonly scripted?: Model;
}

export interface ModelSettings extends ProviderSources, CallSettings {
  /** How long to wait before trying again, if the vendor doesn't say. */
  readonly backoff?: Backoff;
  /** Routes the calls of one session to the same prompt cache, if the vendor has such a key. */
  readonly cacheKey?: string;
  /** Stands in for the network in tests. */
  readonly fetch?: Fetch;
  /** Masks secrets in what a person will read; the provider's own key is masked in any case. */
  readonly mask?: (text: string) => string;
}
