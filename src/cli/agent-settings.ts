// Flags over configuration over defaults: what opening an agent needs.

import type { AgentSettings, SessionChoice } from "../app/settings.ts";
import { defined } from "../base/defined.ts";
import { TunacodeError } from "../domain/error.ts";
import type { Limits } from "../domain/limits.ts";
import type { FlagValues } from "./flags.ts";
import type { ConfiguredPlace } from "./place.ts";

export function agentSettings(
  flags: FlagValues,
  { cwd, variables, loaded: { config } }: ConfiguredPlace,
  notify: (text: string) => void,
): AgentSettings {
  const { defaultModel, maxRetries, maxOutputTokens, guideFile, maxCommandOutput } = config;
  const { timeoutSeconds: lspSeconds } = config.lsp;
  return {
    cwd,
    env: variables,
    session: sessionChoice(flags),
    ...defined({ model: flags.model, defaultModel }),
    providers: config.providers,
    ...defined({ baseUrl: flags["base-url"] }),
    timeouts: config.timeouts,
    ...defined({ maxRetries, maxOutputTokens, thinking: flags.thinking }),
    permission: {
      mode: flags.permission ?? config.permissions.mode,
      rules: [
        ...config.permissions.rules,
        { source: "command line", allow: flags.allow ?? [], deny: flags.deny ?? [] },
      ],
    },
    trusted: config.trusted,
    sandbox: flags.sandbox ?? config.sandbox,
    limits: limitsOf(flags),
    maxIterations: flags["max-iterations"] ?? config.maxIterations,
    requestTimeoutSeconds: flags.timeout ?? config.requestTimeoutSeconds,
    ...defined({ guideFile }),
    languageServers: config.lsp.enabled,
    ...(lspSeconds !== undefined && { languageServerWaitMs: lspSeconds * 1000 }),
    ...defined({ maxCommandOutput }),
    requestDelayMs: config.requestDelaySeconds * 1000,
    notify,
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

function limitsOf({ "max-cost": costDollars, "max-total-tokens": totalTokens }: FlagValues): Limits {
  return {
    ...defined({ costDollars, totalTokens }),
  };
}
