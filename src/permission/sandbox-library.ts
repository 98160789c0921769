// The life of the sandbox library. It has global state, so there is one per process, for as long as somebody needs it:
// it knows no project and allows nothing by itself. What a command may reach is said for that command alone.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { SandboxManager } from "@anthropic-ai/sandbox-runtime";
import { MARKER_VARIABLE, markerValue, newFamily } from "../base/process-family.ts";
import { startWatcher } from "../base/process-watcher.ts";
import { javaAgent, seccompProgram } from "./sandbox-programs.ts";
import { trustedSearchPath } from "./search-path.ts";

export interface SandboxLibrary {
  /** The programs that run with less of the sandbox, or outside it. */
  readonly programs: readonly string[];
  /** null where the system itself is the sandbox, as on macOS. */
  readonly bubblewrap: string | null;
  readonly release: () => Promise<void>;
}

let users = 0;
let opened: Promise<Omit<SandboxLibrary, "release">> | null = null;
let closing: Promise<void> = Promise.resolve();

/** Everybody who takes it has to release it once. */
export async function takeLibrary(ripgrep: string, path: string, root: string): Promise<SandboxLibrary> {
  users++;
  let isReleased = false;
  const release = async () => {
    if (isReleased) return;
    isReleased = true;
    users--;
    if (users > 0) return;
    opened = null;
    closing = closing.then(() => SandboxManager.reset());
    await closing;
  };
  try {
    opened ??= closing.then(() => open(ripgrep, trustedSearchPath(path, root)));
    return { ...(await opened), release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function open(ripgrep: string, searchPath: string): Promise<Omit<SandboxLibrary, "release">> {
  const [seccomp, java] = await Promise.all([seccompProgram(), javaAgent()]);
  // By its name alone, a program of the project's could be found in its place.
  const bubblewrap = process.platform === "linux" ? find("bwrap", searchPath) : null;
  const socat = process.platform === "linux" ? find("socat", searchPath) : null;
  await initialise(() =>
    SandboxManager.initialize(
      {
        network: { allowedDomains: [], deniedDomains: [] },
        filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
        ripgrep: { command: ripgrep },
        javaAgentJarPath: java,
        ...(bubblewrap !== null && { bwrapPath: bubblewrap }),
        ...(socat !== null && { socatPath: socat }),
        ...(seccomp !== null && { seccomp: { applyPath: seccomp } }),
      },
      undefined,
      true,
    ),
  );
  const programs = [ripgrep, seccomp, java, bubblewrap, socat].filter((program) => program !== null);
  return { programs, bubblewrap };
}

function find(name: string, searchPath: string): string {
  for (const folder of searchPath.split(delimiter)) {
    try {
      const path = join(folder, name);
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // It is in another folder, or nowhere.
    }
  }
  throw new Error(`${name} is not installed`);
}

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
