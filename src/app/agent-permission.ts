// Permission as one running agent has it: rules and mode that can change, and a sandbox that is made when first needed.
import { homedir } from "node:os";
import type { PermissionMode, Permit } from "../domain/permission.ts";
import { runsShell } from "../permission/act.ts";
import { boundFiles } from "../permission/bound-files.ts";
import type { PermissionContext } from "../permission/context.ts";
import { createPermit } from "../permission/permit.ts";
import { parseRules } from "../permission/rules.ts";
import type { Sandbox, SandboxOptions } from "../permission/sandbox.ts";
import type { Shell, Workspace } from "../tools/ports.ts";
import { createShell } from "./agent-shell.ts";
import { createPermissionContext, sandboxHosts } from "./permit.ts";
import type { AgentSettings } from "./settings.ts";

export interface AgentPermission {
  readonly permit: Permit;
  /** Starts a command in the sandbox or plainly, as its grant says. */
  readonly shell: Shell;
  readonly mode: () => PermissionMode;
  readonly setMode: (mode: PermissionMode) => void;
  /** Rules in force, in words, with where they come from. */
  readonly rules: () => readonly string[];
  readonly close: () => Promise<void>;
}

interface AgentPermissionPorts {
  readonly workspace: Workspace;
  readonly ripgrepPath: () => Promise<string>;
  /** Folders outside the project that the agent may read. */
  readonly readableFolders: readonly string[];
  /** The real one, if absent. */
  readonly createSandbox?: (options: SandboxOptions) => Promise<Sandbox>;
}

export function createAgentPermission(settings: AgentSettings, ports: AgentPermissionPorts): AgentPermission {
  const { workspace, readableFolders } = ports;
  const wanted = settings.permission.sandbox;
  let context = createPermissionContext({ ...settings, readableFolders });
  let sandbox: Promise<Sandbox> | null = null;
  const current = (): PermissionContext => ({
    ...context,
    workspace: { root: context.workspace.root, cwd: workspace.cwd() },
  });

  /** Creating it takes half a second, so only shell commands wait for it, and only the first does. */
  const withSandbox = async (): Promise<void> => {
    if (wanted === "off" || (context.mode === "yolo" && wanted !== "on")) return;
    sandbox ??= makeSandbox(settings, ports, current());
    context = { ...context, sandbox: (await sandbox).available };
  };
  /** If a sandbox is demanded and there is none, commands are asked about even in a mode that allows everything. */
  const isAskedInstead = () => wanted === "on" && !context.sandbox && context.mode === "yolo";

  const permit = createPermit({
    context: async (call) => {
      if (!runsShell(call)) return current();
      await withSandbox();
      return isAskedInstead() ? { ...current(), mode: "ask" } : current();
    },
    ask: settings.person?.askPermission ?? null,
    remember: (offer) => {
      const { rules } = parseRules(offer.rules, "allow", "session", context.vocabulary);
      context = { ...context, rules: [...context.rules, ...rules] };
    },
  });

  return {
    permit,
    shell: createShell({
      sandbox: () => sandbox,
      reach: () => {
        const { home, workspace: place, addedFolders = [] } = context;
        const { root } = place;
        const { unreadable, unwritable } = boundFiles(current());
        const files = { writableFolders: addedFolders, unreadable, unwritable };
        return { root, home, ...files, ...sandboxHosts(context) };
      },
      lookAfter: async () => ({ remarks: [] }),
    }),
    mode: () => context.mode,
    setMode: (mode) => {
      context = { ...context, mode };
    },
    rules: () => context.rules.map((rule) => `${rule.verdict} ${rule.text} (${rule.source})`),
    close: async () => {
      await (await sandbox)?.close();
    },
  };
}

async function makeSandbox(
  { env, permission, notify }: AgentSettings,
  ports: AgentPermissionPorts,
  context: PermissionContext,
): Promise<Sandbox> {
  const createSandbox = ports.createSandbox ?? (await import("../permission/sandbox.ts")).createSandbox;
  const home = env["HOME"] || homedir();
  const sandbox = await createSandbox({
    root: context.workspace.root,
    home,
    ripgrepPath: ports.ripgrepPath,
    ...sandboxHosts(context),
  });
  if (permission.sandbox === "on" && !sandbox.available) notify(sandbox.reason);
  return sandbox;
}
