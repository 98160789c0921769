// What opening an agent depends on: config, environment and flags, already merged into plain values. Each part is
// declared by the room that uses it, and handed there whole.

import type { UndoSettings } from "../checkpoint/settings.ts";
import type { RememberedRules } from "../config/remembered-rules.ts";
import type { SessionId } from "../domain/ids.ts";
import type { ReachedLimit } from "../domain/limits.ts";
import type { PermissionQuestion, PersonAnswer } from "../domain/permission.ts";
import type { ToolOutput } from "../domain/tool.ts";
import type { LoopSettings } from "../loop/request-context.ts";
import type { ModelPreferences } from "../models/settings.ts";
import type { PermissionSettings } from "../permission/settings.ts";
import type { PromptSettings } from "../prompt/context-files.ts";
import type { Retention } from "../session/retention.ts";
import type { ToolSettings } from "../tools/ports.ts";

export interface AgentSettings {
  readonly cwd: string;
  /** The process's environment with the config's `env` merged in. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly session: SessionChoice;
  readonly models?: ModelPreferences;
  /** Reads `env` and `models` again, so that a changed key or address applies from the next request on. */
  readonly reload?: () => Promise<ModelSources>;
  readonly permission: PermissionSettings;
  /** Where rules are kept that last longer than a session. Without it, none do. */
  readonly remembered?: RememberedRules;
  readonly loop?: LoopSettings;
  readonly tools?: ToolSettings;
  readonly prompt?: PromptSettings;
  readonly undo?: UndoSettings;
  /** Which sessions are deleted when this one is opened. */
  readonly retention?: Retention;
  /** The person trusts this project's own settings. */
  readonly trusted: boolean;
  readonly person?: Person;
  /** Things a person should know now: disk trouble, a missing sandbox, a fork. */
  readonly notify: (text: string) => void;
  readonly log?: (message: string, details?: unknown) => void;
}

/** What a model is made from. */
export type ModelSources = Pick<AgentSettings, "env" | "models">;

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
