// The resolved configuration: files merged over defaults, as plain values. Using it loads no schema.
import type { ModelName } from "../domain/ids.ts";
import type { PermissionMode } from "../domain/permission.ts";

export interface Config {
  readonly defaultModel?: ModelName;
  /** Variables for keys and addresses, without empty ones. The real environment takes precedence. */
  readonly env: Readonly<Record<string, string>>;
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  readonly permissions: PermissionConfig;
  readonly sandbox: SandboxMode;
  /** If absent, the vendor's default applies. */
  readonly maxRetries?: number;
  readonly maxIterations: number;
  /** The delay before every model call. */
  readonly requestDelaySeconds: number;
  /** 0 means no limit. */
  readonly requestTimeoutSeconds: number;
  /** The name of an instruction file to read instead of AGENTS.md. */
  readonly guideFile?: string;
  readonly theme?: string;
  readonly notifications?: "auto" | "bell" | "off";
  /** The terminal app's key bindings, by action. */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  readonly lsp: LspConfig;
  /** The most characters of a command's output that the model sees. */
  readonly maxCommandOutput?: number;
  /** The most tokens in one response. */
  readonly maxOutputTokens?: number;
  readonly timeouts: TimeoutConfig;
  /** The person trusts the project's own configuration. */
  readonly trusted: boolean;
}

export type SandboxMode = "auto" | "on" | "off";

export interface ProviderConfig {
  readonly api?: "openai-chat" | "openai-responses" | "anthropic" | "google";
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
  readonly models?: readonly (string | ModelConfig)[];
}

/** Prices in dollars per million tokens. */
export interface ModelConfig {
  readonly id: string;
  readonly contextWindow?: number;
  readonly maxOutput?: number;
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
}

export interface PermissionConfig {
  readonly mode: PermissionMode;
  readonly rules: readonly ConfiguredRules[];
}

/** Rules with their source, because a project's allow rules apply only if the project is trusted. */
export interface ConfiguredRules {
  readonly source: "person" | "project";
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export interface LspConfig {
  readonly enabled: boolean;
  readonly timeoutSeconds?: number;
}

/** An absent value means the default, which is different for local servers. */
export interface TimeoutConfig {
  readonly connectMs?: number;
  readonly firstByteMs?: number;
  readonly idleMs?: number;
}
