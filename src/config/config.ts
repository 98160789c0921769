// The configuration everybody works with: files and defaults put together, in plain values. No schema is needed
// to use it.
import type { ModelName } from "../domain/ids.ts";
import type { PermissionMode } from "../domain/permission.ts";

export interface Config {
  readonly defaultModel?: ModelName;
  /** Variables for keys and addresses; the real environment comes before them. Empty ones are left out. */
  readonly env: Readonly<Record<string, string>>;
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  readonly permissions: PermissionConfig;
  readonly sandbox: SandboxMode;
  /** Absent: what the model's vendor calls for. */
  readonly maxRetries?: number;
  readonly maxIterations: number;
  /** Waited before every model call. */
  readonly requestDelaySeconds: number;
  /** 0: no limit. */
  readonly requestTimeoutSeconds: number;
  /** The name of the instruction file that is read instead of AGENTS.md. */
  readonly guideFile?: string;
  readonly theme?: string;
  readonly notifications?: "auto" | "bell" | "off";
  /** The terminal app's keys, by the name of what they do. */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  readonly lsp: LspConfig;
  /** Characters of a command's output that the model sees. */
  readonly maxCommandOutput?: number;
  /** Tokens of one response. */
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

/** Rules by whose file they are in: a project's allow rules count only where it is trusted. */
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

/** Absent: the defaults, which differ for local servers. */
export interface TimeoutConfig {
  readonly connectMs?: number;
  readonly firstByteMs?: number;
  readonly idleMs?: number;
}
