// Flags over configuration over defaults: what opening an agent needs.

import { resolve } from "node:path";
import type { AgentSettings, SessionChoice } from "../app/settings.ts";
import { defined } from "../base/defined.ts";
import { rememberedRules } from "../config/remembered-rules.ts";
import type { Config } from "../config/resolve.ts";
import { TunacodeError } from "../domain/error.ts";
import type { ModelPreferences } from "../models/settings.ts";
import type { PermissionSettings } from "../permission/settings.ts";
import type { FlagValues } from "./flags.ts";
import type { ConfiguredPlace } from "./place.ts";

export function agentSettings(
  flags: FlagValues,
  place: ConfiguredPlace,
  notify: (text: string) => void,
): AgentSettings {
  const { cwd, variables } = place;
  const { config } = place.loaded;
  const { loop, tools, prompt, undo, retention, trusted } = config;
  return {
    cwd,
    env: variables,
    session: sessionChoice(flags),
    models: modelPreferences(flags, config),
    permission: permissionSettings(flags, place),
    remembered: rememberedRules(place.env, place.mainTree),
    loop: {
      ...loop,
      ...defined({ maxIterations: flags["max-iterations"], requestTimeoutSeconds: flags.timeout }),
      limits: {
        ...loop.limits,
        ...defined({
          costDollars: flags["max-cost"],
          totalTokens: flags["max-total-tokens"],
          toolCalls: flags["max-tool-calls"],
        }),
      },
    },
    tools,
    prompt,
    undo,
    retention,
    trusted,
    notify,
  };
}

export function modelPreferences(flags: FlagValues, { models }: Config): ModelPreferences {
  const { model: asked, "base-url": baseUrl, thinking, fallback } = flags;
  return { ...models, ...defined({ asked, baseUrl, thinking, fallback }) };
}

export function permissionSettings(flags: FlagValues, place: ConfiguredPlace): PermissionSettings {
  const { permission: mode, sandbox, allow = [], ask = [], deny = [], "add-dir": folders = [] } = flags;
  const { permission } = place.loaded.config;
  return {
    ...permission,
    ...defined({ mode, sandbox }),
    // They begin where the command was typed, which is where the shell completes them.
    addedFolders: folders.map((folder) => resolve(place.typedIn, folder)),
    rules: [...permission.rules, { source: "command line", allow, ask, deny }],
  };
}

function sessionChoice(flags: FlagValues): SessionChoice {
  const { continue: again, resume, "no-session": none, worktree, "with-changes": changes } = flags;
  if (changes === true && worktree === undefined)
    throw new TunacodeError("usage", "--with-changes goes with --worktree.");
  if ([again, resume, none].filter((flag) => flag !== undefined).length > 1)
    throw new TunacodeError("usage", "--continue, --resume and --no-session exclude each other.");
  if (resume !== undefined) return { type: "resume", id: resume };
  if (again === true) return { type: "continue" };
  return none === true ? { type: "none" } : { type: "new" };
}
