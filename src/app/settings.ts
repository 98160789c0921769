// What opening an agent depends on: config, environment and flags, already merged into plain values.

import type { ModelName, SessionId } from "../domain/ids.ts";
import type { Limits, ReachedLimit } from "../domain/limits.ts";
import type { Model } from "../domain/model.ts";
import type { PermissionMode, PermissionQuestion, PersonAnswer } from "../domain/permission.ts";
import type { Tool, ToolOutput } from "../domain/tool.ts";
import type { ProviderEntries, Thinking, Timeouts } from "../models/settings.ts";
import type { WrittenRules } from "./permit.ts";

export interface AgentSettings {
  readonly cwd: string;
  /** The process's environment with the config's `env` merged in. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly session: SessionChoice;
  /** --model. */
  readonly model?: ModelName;
  readonly defaultModel?: ModelName;
  readonly providers?: ProviderEntries;
  readonly baseUrl?: string;
  readonly timeouts?: Partial<Timeouts>;
  readonly maxRetries?: number;
  readonly maxOutputTokens?: number;
  readonly thinking?: Thinking;
  readonly permission: { readonly mode: PermissionMode; readonly rules: readonly WrittenRules[] };
  /** The person trusts this project's own settings. */
  readonly trusted: boolean;
  readonly sandbox: "auto" | "on" | "off";
  readonly limits?: Limits;
  readonly maxIterations?: number;
  readonly requestTimeoutSeconds?: number;
  readonly guideFile?: string;
  readonly languageServers?: boolean;
  /** How long an edit waits for a language server. */
  readonly languageServerWaitMs?: number;
  /** Characters of a command's output that the model sees, where fewer than by default. */
  readonly maxCommandOutput?: number;
  /** Waited before every model call. */
  readonly requestDelayMs?: number;
  /** Mask what looks like a key, besides the keys we hold. */
  readonly maskPatterns?: boolean;
  /** Stands in for a vendor's model: the demo. */
  readonly scripted?: Model;
  /** Besides ours. What they demand is judged as ours is, and rules may name them. */
  readonly tools?: readonly Tool[];
  readonly person?: Person;
  /** Things a person should know now: disk trouble, a missing sandbox, a fork. */
  readonly notify: (text: string) => void;
  readonly log?: (message: string, details?: unknown) => void;
}

export type SessionChoice =
  | { readonly type: "new" }
  /** The newest one of this project; a new one if there is none. */
  | { readonly type: "continue" }
  /** By its id, or a prefix that only one has. */
  | { readonly type: "resume"; readonly id: SessionId }
  /** A new one that begins with the history of another. */
  | { readonly type: "fork"; readonly id: SessionId }
  /** Nothing is written. */
  | { readonly type: "none" };

/** Somebody who can be asked. Without one, what needs asking is refused. */
export interface Person {
  readonly askPermission: (question: PermissionQuestion, signal: AbortSignal) => Promise<PersonAnswer>;
  readonly askToGoOn: (reached: ReachedLimit, signal: AbortSignal) => Promise<boolean>;
  readonly askAboutPlan: (plan: string, signal: AbortSignal) => Promise<ToolOutput>;
}
