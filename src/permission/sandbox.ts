// The sandbox for shell commands and their process trees. They can write only in the project and temporary folders,
// reach only allowed hosts, and can't read folders with secrets. It is used only if a probe could not escape from it.
// There is one per process, because the library behind it has global state.
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SandboxRuntimeConfig } from "@anthropic-ai/sandbox-runtime";
import { MARKER_VARIABLE, markerValue, newFamily } from "../base/process-family.ts";
import { startWatcher } from "../base/process-watcher.ts";
import { shellProgram } from "../base/shell-program.ts";
import { errorMessage } from "../domain/error.ts";
import { SECRET_FOLDERS, SECRET_HOME_PATHS } from "./guarded-paths.ts";
import { bubblewrapArguments } from "./sandbox-arguments.ts";
import { probeSandbox, type WrapCommand } from "./sandbox-probe.ts";
import { javaAgent, seccompProgram } from "./sandbox-programs.ts";
import { NOTHING_NOTICED, type SandboxedCommand, type SandboxedStart } from "./sandboxed-command.ts";

export interface SandboxOptions {
  readonly root: string;
  readonly home: string;
  /** Hosts that commands may reach; `*.example.com` for subdomains. */
  readonly allowedHosts?: readonly string[];
  readonly deniedHosts?: readonly string[];
  /** Further folders in which commands may write. */
  readonly writableFolders?: readonly string[];
  readonly ripgrepPath: () => Promise<string>;
}

export interface Sandbox {
  readonly available: boolean;
  /** One sentence for a person: what it does, or why it is missing. */
  readonly reason: string;
  readonly start: (command: SandboxedCommand, signal: AbortSignal) => Promise<SandboxedStart>;
  readonly close: () => Promise<void>;
}

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  try {
    const { SandboxManager } = await import("@anthropic-ai/sandbox-runtime");
    const config = await configuration(options);
    const shell = shellProgram();
    await initialise(() => SandboxManager.initialize(config));
    const wrapCommand: WrapCommand = async (command, _cwd, signal) => {
      const wrapped = await SandboxManager.wrapWithSandbox(command, shell, undefined, signal);
      const seccomp = config.seccomp?.applyPath;
      const noHosts = config.network.allowedDomains.length === 0;
      const direct = noHosts && seccomp !== undefined ? { seccomp, shell, command } : null;
      const argv = bubblewrapArguments(wrapped, { temporaryFolder: tmpdir(), direct });
      return { argv: argv ?? [shell, "-c", wrapped] };
    };
    const close = () => SandboxManager.reset();
    const wayOut = await probeSandbox({ ...options, wrapCommand, writable: writablePlaces(options) });
    const start: Sandbox["start"] = async ({ script, folder }, signal) => ({
      ...(await wrapCommand(script, folder, signal)),
      ended: async () => NOTHING_NOTICED,
    });
    if (wayOut === null) return { available: true, reason: INSIDE, start, close };
    await close();
    return missing(wayOut);
  } catch (error) {
    // Without it, the person is asked about commands.
    return missing(errorMessage(error));
  }
}

const INSIDE =
  "Commands write only in the project and temporary folders, and reach no host that isn't allowed.";

function missing(why: string): Sandbox {
  return {
    available: false,
    reason: `There is no sandbox here: ${why.replace(/\.$/, "")}.`,
    start: async () => {
      throw new Error("There is no sandbox here.");
    },
    close: async () => {},
  };
}

function writablePlaces({ root, writableFolders = [] }: SandboxOptions): readonly string[] {
  return [root, tmpdir(), "/tmp", "/var/tmp", ...writableFolders];
}

async function configuration(options: SandboxOptions): Promise<SandboxRuntimeConfig> {
  const { root, home, allowedHosts = [], deniedHosts = [] } = options;
  const [ripgrep, seccomp, java] = await Promise.all([options.ripgrepPath(), seccompProgram(), javaAgent()]);
  return {
    network: { allowedDomains: [...allowedHosts], deniedDomains: [...deniedHosts] },
    filesystem: {
      denyRead: [...SECRET_FOLDERS, ...SECRET_HOME_PATHS].map((path) => join(home, path)).filter(existsSync),
      allowWrite: writablePlaces(options).filter(existsSync),
      // A program that a command replaced here would run outside the next time.
      denyWrite: [...[ripgrep, seccomp ?? ripgrep, java].map((path) => dirname(path)), ...guardedPaths(root)],
    },
    ripgrep: { command: ripgrep },
    javaAgentJarPath: java,
    ...(seccomp !== null && { seccomp: { applyPath: seccomp } }),
  };
}

/** Existing configuration is write-protected. Protecting a file that doesn't exist would leave an empty one behind. */
function guardedPaths(root: string): readonly string[] {
  const inGit = existsSync(join(root, ".git/HEAD")) ? GUARDED_IN_GIT : [".git"];
  const there = GUARDED.map((path) => join(root, path)).filter(existsSync);
  return [...inGit.map((path) => join(root, path)), ...there];
}

const GUARDED_IN_GIT: readonly string[] = [".git/hooks", ".git/config", ".git/config.worktree"];

const GUARDED: readonly string[] = (
  ".github/workflows .vscode .idea .zed .devcontainer .claude .cursor .codex .gemini .opencode .husky " +
  ".envrc .mcp.json .tunacode.json .tunacode"
).split(" ");

/**
 * The library starts a helper process that would survive a kill -9 of ours, so it gets the mark by which the watcher
 * finds it. The library also listens for SIGINT and SIGTERM, which only the program may handle.
 */
async function initialise(initialize: () => Promise<void>): Promise<void> {
  const listeners = SIGNALS.map((name) => [name, process.listeners(name)] as const);
  const mark = process.env[MARKER_VARIABLE];
  startWatcher();
  process.env[MARKER_VARIABLE] = markerValue(newFamily());
  try {
    await initialize();
  } finally {
    if (mark === undefined) delete process.env[MARKER_VARIABLE];
    else process.env[MARKER_VARIABLE] = mark;
    for (const [name, before] of listeners)
      for (const listener of process.listeners(name))
        if (!before.includes(listener)) process.removeListener(name, listener);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
