// Permission as one running agent has it: rules and mode that can change, and a sandbox that is made when first needed.
import { homedir } from "node:os";
import { ConfigError } from "../domain/error.ts";
import type { PermissionAnswer, PermissionMode, Permit } from "../domain/permission.ts";
import type { PermissionContext } from "../permission/context.ts";
import { decide } from "../permission/decide.ts";
import { createPermit } from "../permission/permit.ts";
import { parseRules } from "../permission/rules.ts";
import type { Sandbox } from "../permission/sandbox.ts";
import { plainShell } from "../tools/bash.ts";
import type { Shell, Workspace } from "../tools/ports.ts";
import { createPermissionContext, createShell, sandboxHosts } from "./permit.ts";
import type { AgentSettings } from "./settings.ts";

export interface Gate {
  readonly permit: Permit;
  /** Runs a command in the sandbox or plainly, as was decided. */
  readonly shell: Shell;
  readonly mode: () => PermissionMode;
  readonly setMode: (mode: PermissionMode) => void;
  /** Whether a file's content may be shown without asking: searches leave the others out. */
  readonly mayShow: (path: string) => boolean;
  /** Rules in force, in words, with where they come from. */
  readonly rules: () => readonly string[];
  readonly close: () => Promise<void>;
}

export interface GatePorts {
  readonly workspace: Workspace;
  readonly ripgrepPath: () => Promise<string>;
  /** Folders outside the project that are ours to read. */
  readonly readableFolders: readonly string[];
}

export function createGate(settings: AgentSettings, ports: GatePorts): Gate {
  const { workspace } = ports;
  let context = startingContext(settings, ports);
  let sandbox: Promise<Sandbox> | null = null;
  const current = (): PermissionContext => ({
    ...context,
    workspace: { root: context.workspace.root, cwd: workspace.cwd() },
  });

  const isDemanded = settings.sandbox === "on";
  let isMissed = false;

  /** It takes half a second, so only a shell command waits for it, and only the first. */
  const withSandbox = async (): Promise<void> => {
    if (settings.sandbox === "off" || (context.mode === "yolo" && !isDemanded)) return;
    sandbox ??= makeSandbox(settings, ports, current());
    const { available, reason } = await sandbox;
    context = { ...context, sandbox: available };
    if (available || !isDemanded || isMissed) return;
    isMissed = true;
    settings.notify(reason);
  };

  const permit = createPermit({
    context: current,
    ask: settings.person?.askPermission ?? null,
    remember: (rules) => {
      context = { ...context, rules: [...context.rules, ...parseRules(rules, "allow", "session").rules] };
    },
  });

  return {
    permit: async (call, tool, signal) => {
      if (call.toolName !== "bash") return permit(call, tool, signal);
      await withSandbox();
      // Asked for together, they mean: anything, but inside. A person can be asked instead in another mode.
      if (isMissed && context.mode === "yolo") return notInside(settings.person === undefined);
      return permit(call, tool, signal);
    },
    shell: {
      wrapCommand: async (script, cwd, signal, command) => {
        const shell = sandbox === null ? plainShell : createShell(current, await sandbox);
        return shell.wrapCommand(script, cwd, signal, command);
      },
    },
    mode: () => context.mode,
    setMode: (mode) => {
      context = { ...context, mode };
    },
    mayShow: (path) =>
      decide({ toolName: "read_file", args: { filepath: path } }, current()).decision === "allow",
    rules: () => context.rules.map((rule) => `${rule.verdict} ${rule.text} (${rule.source})`),
    close: async () => {
      await (await sandbox)?.close();
    },
  };
}

function notInside(unasked: boolean): PermissionAnswer {
  const reason =
    "Not permitted. Commands may run only inside the sandbox, and there is none here. Do it without one, or say what is needed.";
  return { type: "deny", reason, ...(unasked && { unasked }) };
}

function startingContext(settings: AgentSettings, ports: GatePorts): PermissionContext {
  const { permission, cwd, trusted, env } = settings;
  const result = createPermissionContext({
    mode: permission.mode,
    rules: permission.rules,
    root: ports.workspace.root,
    cwd,
    trusted,
    sandbox: false,
    readableFolders: ports.readableFolders,
    environment: env,
  });
  if (!result.ok) throw new ConfigError(result.problems.join("\n"));
  return result.context;
}

async function makeSandbox(
  { env }: AgentSettings,
  ports: GatePorts,
  context: PermissionContext,
): Promise<Sandbox> {
  const { createSandbox } = await import("../permission/sandbox.ts");
  const home = env["HOME"] || homedir();
  return createSandbox({
    root: ports.workspace.root,
    home,
    ripgrepPath: ports.ripgrepPath,
    ...sandboxHosts(context),
  });
}
