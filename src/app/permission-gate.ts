// Permission as one running agent has it: rules and mode that can change, and a sandbox that is made when first needed.
import { homedir } from "node:os";
import { TunacodeError } from "../domain/error.ts";
import type { PermissionMode, Permit } from "../domain/permission.ts";
import type { PermissionContext } from "../permission/context.ts";
import { createPermit, decideWithoutShell } from "../permission/permit.ts";
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

  /** It takes half a second, so only a shell command waits for it, and only the first. */
  const withSandbox = async (): Promise<void> => {
    if (settings.sandbox === "off" || (context.mode === "yolo" && settings.sandbox !== "on")) return;
    sandbox ??= makeSandbox(settings, ports, current());
    context = { ...context, sandbox: (await sandbox).available };
  };
  /** Who wants commands in a sandbox is asked about them where there is none, even by a mode that allows everything. */
  const isAskedInstead = (toolName: string) =>
    toolName === "bash" && settings.sandbox === "on" && !context.sandbox && context.mode === "yolo";

  const permit = createPermit({
    context: (toolName) => (isAskedInstead(toolName) ? { ...current(), mode: "ask" } : current()),
    ask: settings.person?.askPermission ?? null,
    remember: (rules) => {
      context = { ...context, rules: [...context.rules, ...parseRules(rules, "allow", "session").rules] };
    },
  });

  return {
    permit: async (call, tool, signal) => {
      if (call.toolName === "bash") await withSandbox();
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
      decideWithoutShell({ toolName: "read_file", args: { filepath: path } }, current()).decision === "allow",
    rules: () => context.rules.map((rule) => `${rule.verdict} ${rule.text} (${rule.source})`),
    close: async () => {
      await (await sandbox)?.close();
    },
  };
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
  if (!result.ok) throw new TunacodeError(result.code, result.problems.join("\n"));
  return result.context;
}

async function makeSandbox(
  { env, sandbox: wanted, notify }: AgentSettings,
  ports: GatePorts,
  context: PermissionContext,
): Promise<Sandbox> {
  const { createSandbox } = await import("../permission/sandbox.ts");
  const home = env["HOME"] || homedir();
  const sandbox = await createSandbox({
    root: ports.workspace.root,
    home,
    ripgrepPath: ports.ripgrepPath,
    ...sandboxHosts(context),
  });
  if (wanted === "on" && !sandbox.available) notify(sandbox.reason);
  return sandbox;
}
