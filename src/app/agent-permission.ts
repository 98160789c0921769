// Permission as one running agent has it: rules and mode that can change, and a sandbox that is made when first needed.
import { homedir } from "node:os";
import { join } from "node:path";
import { configHome, dataHome, stateHome } from "../base/xdg.ts";
import { personalConfigPath } from "../config/paths.ts";
import type { Offer, PermissionMode, Permit } from "../domain/permission.ts";
import { runsShell } from "../permission/act.ts";
import type { PermissionContext } from "../permission/context.ts";
import { createPermit } from "../permission/permit.ts";
import { parseRules } from "../permission/rules.ts";
import type { Sandbox, SandboxOptions } from "../permission/sandbox.ts";
import type { Shell, Workspace } from "../tools/ports.ts";
import { createShell } from "./agent-shell.ts";
import { createPermissionContext } from "./permit.ts";
import { sandboxReach } from "./sandbox-reach.ts";
import { askAboutSetAside } from "./set-aside-question.ts";
import type { AgentSettings } from "./settings.ts";
import { createWayOut } from "./way-out-question.ts";

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
  /** Replaces known keys. */
  readonly mask?: (text: string) => string;
  /** The real one, if absent. */
  readonly createSandbox?: (options: SandboxOptions) => Promise<Sandbox>;
}

export function createAgentPermission(settings: AgentSettings, ports: AgentPermissionPorts): AgentPermission {
  const { workspace, readableFolders } = ports;
  const wanted = settings.permission.sandbox;
  let context = createPermissionContext({ ...settings, readableFolders });
  let sandbox: Promise<Sandbox> | null = null;
  let toldGap: string | null = null;
  const current = (): PermissionContext => ({
    ...context,
    workspace: { root: context.workspace.root, cwd: workspace.cwd() },
  });

  /** Creating it takes half a second, so only shell commands wait for it, and only the first does. */
  const withSandbox = async (): Promise<void> => {
    if (wanted === "off" || (context.mode === "yolo" && wanted !== "on")) return;
    sandbox ??= makeSandbox(settings, ports, current());
    const { available, gap } = await sandbox;
    // In a project that it can't guard as a whole, commands are decided as if there were none.
    const why = available ? await gap(sandboxReach(current())) : null;
    if (why !== null && why !== toldGap) settings.notify(`Commands don't run in the sandbox here. ${why}`);
    toldGap = why;
    context = { ...context, sandbox: available && why === null };
  };
  /** If a sandbox is demanded and there is none, commands are asked about even in a mode that allows everything. */
  const isAskedInstead = () => wanted === "on" && !context.sandbox && context.mode === "yolo";

  const ask = settings.person?.askPermission ?? null;
  const remember = (offer: Offer) => {
    const { rules } = parseRules(offer.rules, "allow", "session", context.vocabulary);
    context = { ...context, rules: [...context.rules, ...rules] };
  };

  const permit = createPermit({
    context: async (call) => {
      if (!runsShell(call)) return current();
      await withSandbox();
      return isAskedInstead() ? { ...current(), mode: "ask" } : current();
    },
    ask,
    remember,
  });
  const wayOut = createWayOut({ context: current, ask, remember });

  return {
    permit,
    shell: createShell({
      sandbox: () => sandbox,
      reach: (place) => sandboxReach(current(), place.reach),
      lookAfter: async (report, end, place, signal) => {
        const remarks = await askAboutSetAside(report.setAside, place.asked, ask, signal);
        const out = await wayOut(report, end, place, signal);
        return { ...out, remarks: [...remarks, ...out.remarks] };
      },
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
    env,
    ripgrepPath: ports.ripgrepPath,
    privateFolders: ownFolders(env),
    isKey: (value) => ports.mask !== undefined && ports.mask(value) !== value,
  });
  if (permission.sandbox === "on" && !sandbox.available) notify(sandbox.reason);
  return sandbox;
}

/** Sessions, the trust list, keys and logs: nothing that a command needs. Our own programs are in the cache. */
function ownFolders(env: AgentSettings["env"]): readonly string[] {
  const folders = [dataHome(env), configHome(env), stateHome(env)].map((folder) => join(folder, "tunacode"));
  return [...folders, personalConfigPath(env)];
}
