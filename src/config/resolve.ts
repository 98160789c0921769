// Turns the merged files into the configuration that the rest of the program uses: grouped by the rooms that use it,
// in the shapes they declare. Those can't be imported here; the compiler compares them in src/cli/agent-settings.ts.
import { defined } from "../base/defined.ts";
import { type Layer, mergeLayers } from "./layers.ts";
import type { ConfigFile } from "./schema.ts";

type Settings = NonNullable<ConfigFile["settings"]>;
type ProviderEntry = NonNullable<ConfigFile["providers"]>[string];
type ModelEntry = Exclude<NonNullable<ProviderEntry["models"]>[number], string>;

export type Config = ReturnType<typeof resolveConfig>;

export function resolveConfig(layers: readonly Layer[], trusted: boolean) {
  const file = mergeLayers(layers);
  const { env = {}, permissions, sandbox = "auto", settings = {} } = file;
  const { theme, notifications } = settings;
  return {
    /** Variables for keys and addresses, without empty ones. The real environment takes precedence. */
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value.trim() !== "")),
    models: readModels(file, settings),
    permission: { mode: permissions?.mode ?? "ask", rules: layers.flatMap(rulesOf), sandbox },
    loop: defined({
      maxIterations: settings.max_iterations,
      requestTimeoutSeconds: settings.global_request_timeout,
      maxOutputTokens: settings.max_tokens,
      limits: settings.max_tool_calls === undefined ? undefined : { toolCalls: settings.max_tool_calls },
    }),
    tools: {
      languageServers: defined({
        enabled: settings.lsp?.enabled,
        waitMs: milliseconds(settings.lsp?.timeout),
      }),
      ...defined({ maxCommandOutput: settings.max_command_output }),
    },
    prompt: defined({ guideFile: settings.guide_file }),
    undo: defined({
      enabled: settings.undo?.enabled,
      fileBytes: bytes(settings.undo?.file_mb),
      sessionBytes: bytes(settings.undo?.session_mb),
      machineBytes: bytes(settings.undo?.machine_mb),
    }),
    retention: defined({
      days: settings.sessions?.keep_days,
      count: settings.sessions?.keep_count,
      bytes: bytes(settings.sessions?.keep_mb),
    }),
    terminal: defined({ theme, notifications, keys: readKeys(settings) }),
    trusted,
  };
}

function readModels({ default_model, fallback, small_model, providers }: ConfigFile, settings: Settings) {
  const { connect, first_byte, idle } = settings.timeouts ?? {};
  const entries = Object.entries({ ...settings.providers, ...providers });
  return {
    providers: Object.fromEntries(entries.map(([name, entry]) => [name, readProvider(entry)])),
    timeouts: defined({
      connectMs: milliseconds(connect),
      firstByteMs: milliseconds(first_byte),
      idleMs: milliseconds(idle),
    }),
    ...defined({
      // The old program wrote "" for "no model".
      configured: default_model || undefined,
      fallback: typeof fallback === "string" ? [fallback] : fallback,
      small: small_model,
      maxRetries: settings.max_retries,
      delayMs: milliseconds(settings.request_delay),
    }),
  };
}

function readProvider({ api, base_url, api_key_env, models }: ProviderEntry) {
  return defined({
    api,
    baseUrl: base_url,
    apiKeyEnv: api_key_env,
    models: models?.map((model) => (typeof model === "string" ? model : readModel(model))),
  });
}

function readModel({ id, context_window, max_output, input, output, cache_read, cache_write }: ModelEntry) {
  return {
    id,
    ...defined({
      contextWindow: context_window,
      maxOutput: max_output,
      input,
      output,
      cacheRead: cache_read,
      cacheWrite: cache_write,
    }),
  };
}

function readKeys({ keys }: Settings) {
  if (keys === undefined) return undefined;
  const lists = Object.entries(keys).map(([action, key]) => [action, typeof key === "string" ? [key] : key]);
  return Object.fromEntries(lists) as Readonly<Record<string, readonly string[]>>;
}

/** With their source, because a project's allow rules apply only if the project is trusted. */
function rulesOf({ source, values: { permissions = {} } }: Layer) {
  if (source === "default") return [];
  const { allow = [], ask = [], deny = [] } = permissions;
  return allow.length + ask.length + deny.length === 0 ? [] : [{ source, allow, ask, deny }];
}

function bytes(megabytes: number | undefined): number | undefined {
  return megabytes === undefined ? undefined : Math.round(megabytes * 1024 * 1024);
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
