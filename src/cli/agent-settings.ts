// Flags over configuration over defaults: what opening an agent needs.

import type { AgentSettings, SessionChoice } from "../app/settings.ts";
import { defined } from "../base/defined.ts";
import type { Config } from "../config/resolve.ts";
import { TunacodeError } from "../domain/error.ts";
import type { ModelPreferences } from "../models/settings.ts";
import type { PermissionSettings } from "../permission/settings.ts";
import type { FlagValues } from "./flags.ts";
import type { ConfiguredPlace } from "./place.ts";

export function agentSettings(
  flags: FlagValues,
  { cwd, variables, loaded: { config } }: ConfiguredPlace,
  notify: (text: string) => void,
): AgentSettings {
  const { loop, tools, prompt, trusted } = config;
  return {
    cwd,
    env: variables,
    session: sessionChoice(flags),
    models: modelPreferences(flags, config),
    permission: permissionSettings(flags, config),
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
    trusted,
    notify,
  };
}

export function modelPreferences(flags: FlagValues, { models }: Config): ModelPreferences {
  const { model: asked, "base-url": baseUrl, thinking, fallback } = flags;
  return { ...models, ...defined({ asked, baseUrl, thinking, fallback }) };
}

export function permissionSettings(flags: FlagValues, { permission }: Config): PermissionSettings {
  const { permission: mode, sandbox, allow = [], ask = [], deny = [] } = flags;
  return {
    ...permission,
    ...defined({ mode, sandbox }),
    rules: [...permission.rules, { source: "command line", allow, ask, deny }],
  };
}

function sessionChoice(flags: FlagValues): SessionChoice {
  const { continue: again, resume, "no-session": none } = flags;
  if ([again, resume, none].filter((flag) => flag !== undefined).length > 1)
    throw new TunacodeError("usage", "--continue, --resume and --no-session exclude each other.");
  if (resume !== undefined) return { type: "resume", id: resume };
  if (again === true) return { type: "continue" };
  return none === true ? { type: "none" } : { type: "new" };
}
