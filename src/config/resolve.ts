// Turns the merged files into the configuration that the rest of the program uses.
import { defined } from "../base/defined.ts";
import { DEFAULT_MAX_ITERATIONS } from "../domain/limits.ts";
import type {
  Config,
  ConfiguredRules,
  LspConfig,
  ModelConfig,
  ProviderConfig,
  TimeoutConfig,
} from "./config.ts";
import { type Layer, mergeLayers } from "./layers.ts";
import type { ConfigFile } from "./schema.ts";

type Settings = NonNullable<ConfigFile["settings"]>;
type ProviderEntry = NonNullable<ConfigFile["providers"]>[string];
type ModelEntry = Exclude<NonNullable<ProviderEntry["models"]>[number], string>;

export function resolveConfig(layers: readonly Layer[], trusted: boolean): Config {
  const { default_model, env = {}, providers, permissions, sandbox, settings = {} } = mergeLayers(layers);
  return {
    // The old program wrote "" for "no model".
    ...(default_model ? { defaultModel: default_model } : {}),
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value.trim() !== "")),
    providers: readProviders({ ...settings.providers, ...providers }),
    permissions: { mode: permissions?.mode ?? "ask", rules: layers.flatMap(rulesOf) },
    sandbox: sandbox ?? "auto",
    ...readSettings(settings),
    trusted,
  };
}

function readSettings(settings: Settings) {
  const { max_retries, guide_file, theme, notifications, keys, max_command_output, max_tokens } = settings;
  return {
    ...defined({ maxRetries: max_retries }),
    maxIterations: settings.max_iterations ?? DEFAULT_MAX_ITERATIONS,
    requestDelaySeconds: settings.request_delay ?? 0,
    requestTimeoutSeconds: settings.global_request_timeout ?? 0,
    ...defined({
      guideFile: guide_file,
      theme,
      notifications,
      keys,
      maxCommandOutput: max_command_output,
      maxOutputTokens: max_tokens,
    }),
    lsp: readLsp(settings.lsp ?? {}),
    timeouts: readTimeouts(settings.timeouts ?? {}),
  };
}

function readLsp({ enabled = true, timeout }: NonNullable<Settings["lsp"]>): LspConfig {
  return {
    enabled,
    ...defined({ timeoutSeconds: timeout }),
  };
}

function readTimeouts({ connect, first_byte, idle }: NonNullable<Settings["timeouts"]>): TimeoutConfig {
  return {
    ...(connect !== undefined && { connectMs: connect * 1000 }),
    ...(first_byte !== undefined && { firstByteMs: first_byte * 1000 }),
    ...(idle !== undefined && { idleMs: idle * 1000 }),
  };
}

function readProviders(entries: Record<string, ProviderEntry>): Record<string, ProviderConfig> {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, readProvider(entry)]));
}

function readProvider({ api, base_url, api_key_env, models }: ProviderEntry): ProviderConfig {
  return {
    ...defined({ api, baseUrl: base_url, apiKeyEnv: api_key_env }),
    ...(models !== undefined && {
      models: models.map((model) => (typeof model === "string" ? model : readModel(model))),
    }),
  };
}

function readModel({ id, context_window, max_output, input, output, cache_read }: ModelEntry): ModelConfig {
  return {
    id,
    ...defined({
      contextWindow: context_window,
      maxOutput: max_output,
      input,
      output,
      cacheRead: cache_read,
    }),
  };
}

function rulesOf({ source, values: { permissions = {} } }: Layer): ConfiguredRules[] {
  if (source === "default") return [];
  const { allow = [], ask = [], deny = [] } = permissions;
  return allow.length + ask.length + deny.length === 0 ? [] : [{ source, allow, ask, deny }];
}
