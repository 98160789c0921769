// Permission as one running agent has it: rules and mode that can change, and a sandbox that is made when first needed.
import { homedir } from "node:os";
import { join } from "node:path";
import { defined } from "../base/defined.ts";
import { configHome, dataHome, stateHome } from "../base/xdg.ts";
import { personalConfigPath } from "../config/paths.ts";
import type { PermissionMode, Permit } from "../domain/permission.ts";
import { runsShell } from "../permission/act.ts";
import type { PermissionContext, UndoCoverage } from "../permission/context.ts";
import { createPermit } from "../permission/permit.ts";
import type { Reviewer } from "../permission/review.ts";
import type { Sandbox, SandboxOptions } from "../permission/sandbox.ts";
import type { Shell, Workspace } from "../tools/ports.ts";
import { addedFolder } from "./added-folders.ts";
import { createShell } from "./agent-shell.ts";
import { createPermissionContext, folderParts } from "./permit.ts";
import { createSessionRules, type SessionRules } from "./session-rules.ts";
import type { AgentSettings } from "./settings.ts";

export interface AgentPermission {
  readonly permit: Permit;
  /** Starts a command in the sandbox or plainly, as its grant says. */
  readonly shell: Shell;
  readonly mode: () => PermissionMode;
  readonly setMode: (mode: PermissionMode) => void;
  /** The person has switched on the mode auto: by a flag, in their configuration, or in this session. */
  readonly isAutoOn: () => boolean;
  /** Commands run in the sandbox as far as they can. Not known before the first one. */
  readonly usesSandbox: () => boolean;
  readonly rules: SessionRules;
  readonly folders: AddedFolders;
  readonly close: () => Promise<void>;
}

/** Further folders that are part of the project in this session. */
export interface AddedFolders {
  readonly list: () => readonly string[];
  /** Returns its real path. Throws if it can't be added: the message says why. */
  readonly add: (path: string) => string;
}

interface AgentPermissionPorts {
  readonly workspace: Workspace;
  readonly ripgrepPath: () => Promise<string>;
  /** Folders outside the project that the agent may read. */
  readonly readableFolders: readonly string[];
  /** Answers questions in the mode auto. */
  readonly review?: Reviewer;
  /** Replaces known keys. */
  readonly mask?: (text: string) => string;
  /** What undo would bring back now; null if nothing, or if that takes too long to find out. */
  readonly coverage?: () => Promise<UndoCoverage | null>;
  /** The real one, if absent. */
  readonly createSandbox?: (options: SandboxOptions) => Promise<Sandbox>;
}

export function createAgentPermission(settings: AgentSettings, ports: AgentPermissionPorts): AgentPermission {
  const { workspace, readableFolders } = ports;
  const wanted = settings.permission.sandbox;
  let context = createPermissionContext({ ...settings, readableFolders });
  const rules = createSessionRules(context, settings);
  let sandbox: Promise<Sandbox> | null = null;
  let isAutoOn = context.mode === "auto";
  let toldGap: string | null = null;
  const current = (): PermissionContext => ({
    ...context,
    rules: rules.all(),
    workspace: { root: context.workspace.root, cwd: workspace.cwd() },
  });

  /** Creating it takes half a second, so only shell commands wait for it, and only the first does. */
  const withSandbox = async (): Promise<void> => {
    if (wanted === "off" || (context.mode === "yolo" && wanted !== "on")) {
      // An earlier mode may have used it.
      context = { ...context, sandbox: false };
      return;
    }
    sandbox ??= makeSandbox(settings, ports, current());
    const [{ available, gap }, { sandboxReach }] = await Promise.all([sandbox, import("./sandbox-reach.ts")]);
    // In a project that it can't guard as a whole, commands are decided as if there were none.
    const why = available ? await gap(sandboxReach(current())) : null;
    if (why !== null && why !== toldGap) settings.notify(`Commands don't run in the sandbox here. ${why}`);
    toldGap = why;
    context = { ...context, sandbox: available && why === null };
  };
  /** If a sandbox is demanded and there is none, the person is asked about commands, whatever the mode. */
  const isAskedInstead = () =>
    wanted === "on" && !context.sandbox && (context.mode === "yolo" || context.mode === "auto");

  const ask = settings.person?.askPermission ?? null;
  const permit = createPermit({
    context: async (call) => {
      if (!runsShell(call)) return current();
      await withSandbox();
      return isAskedInstead() ? { ...current(), mode: "ask" } : current();
    },
    ask,
    ...defined({ review: ports.review, coverage: ports.coverage }),
    remember: rules.remember,
  });
  const asking = { ask, notify: settings.notify };

  return {
    permit,
    shell: createShell({
      sandbox: () => sandbox,
      reach: async (place) => (await import("./sandbox-reach.ts")).sandboxReach(current(), place.reach),
      lookAfter: async (report, end, place, signal) => {
        const { askAboutSetAside } = await import("./set-aside-question.ts");
        const remarks = await askAboutSetAside(report.setAside, place.asked, asking, signal);
        const { askForWayOut } = await import("./way-out-question.ts");
        const ports = { ...asking, context: current, remember: rules.remember };
        const out = await askForWayOut(report, end, place, ports, signal);
        return { ...out, remarks: [...remarks, ...out.remarks] };
      },
    }),
    mode: () => context.mode,
    setMode: (mode) => {
      context = { ...context, mode };
      isAutoOn ||= mode === "auto";
    },
    isAutoOn: () => isAutoOn,
    usesSandbox: () => context.sandbox && (context.mode !== "yolo" || wanted === "on"),
    rules,
    folders: {
      list: () => context.addedFolders ?? [],
      add: (path) => {
        const { workspace: place, addedFolders = [] } = context;
        const folder = addedFolder(path, { root: place.root, env: settings.env, cwd: settings.cwd });
        context = { ...context, ...folderParts(place.root, [...addedFolders, folder], settings.env) };
        return folder;
      },
    },
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
  if (permission.sandbox === "on" && !sandbox.available)
    notify(`${sandbox.reason} So commands need approval.`);
  return sandbox;
}

/** Sessions, the trust list, keys and logs: nothing that a command needs. Our own programs are in the cache. */
function ownFolders(env: AgentSettings["env"]): readonly string[] {
  const folders = [dataHome(env), configHome(env), stateHome(env)].map((folder) => join(folder, "tunacode"));
  return [...folders, personalConfigPath(env)];
}
