// The sandbox for shell commands and their process trees. They can write only in the project and a temporary folder of
// their own, can't write what other programs obey, can't read secrets, and reach only allowed hosts. It is used only if
// a probe could not escape from it.
import { mkdir } from "node:fs/promises";
import type { Environment } from "../base/xdg.ts";
import { errorMessage } from "../domain/error.ts";
import type { SandboxLibrary } from "./sandbox-library.ts";
import { sandboxMounts } from "./sandbox-mounts.ts";
import { probeSandbox } from "./sandbox-probe.ts";
import { keptFolder, recordFolder } from "./sandbox-recovery.ts";
import { createPrivateFolder, type PrivateFolder } from "./sandbox-temporary.ts";
import type { SandboxedCommand, SandboxedStart, SandboxReach } from "./sandboxed-command.ts";

export interface SandboxOptions {
  readonly root: string;
  readonly home: string;
  readonly env: Environment;
  readonly ripgrepPath: () => Promise<string>;
  /** Folders of ours that commands can't read: sessions, configuration, logs. */
  readonly privateFolders?: readonly string[];
  /** Is it a key of a provider? */
  readonly isKey?: (value: string) => boolean;
}

export interface Sandbox {
  readonly available: boolean;
  /** One sentence for a person: what it does, or why it is missing. */
  readonly reason: string;
  /** Why it can't hold a command with this reach; null if it can. */
  readonly gap: (reach: SandboxReach) => Promise<string | null>;
  readonly start: (command: SandboxedCommand, signal: AbortSignal) => Promise<SandboxedStart>;
  readonly close: () => Promise<void>;
}

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { root, home, env } = options;
  let library: SandboxLibrary | null = null;
  let temporary: PrivateFolder | null = null;
  const running = new Set<SandboxedStart["ended"]>();
  const close = async () => {
    await Promise.allSettled([...running].map((ended) => ended()));
    await temporary?.remove();
    await library?.release();
  };
  try {
    await Promise.all([keptFolder(env), recordFolder(env)].map((path) => mkdir(path, PRIVATE)));
    const [{ takeLibrary }, { ownPlaces, startInside }] = await Promise.all([
      import("./sandbox-library.ts"),
      import("./sandbox-start.ts"),
    ]);
    library = await takeLibrary(await options.ripgrepPath(), env["PATH"] ?? "", root);
    temporary = await createPrivateFolder();
    const inside = { ...options, library, temporary, running };
    // Looking through a large project takes a moment, so a decision goes by what was last known of it.
    const known = new Map<string, { readonly gap: string | null; readonly at: number }>();
    const mountsFor = async (reach: SandboxReach) => {
      const mounts = await sandboxMounts(reach, ownPlaces(inside));
      known.set(JSON.stringify(reach), { gap: mounts.gap, at: Date.now() });
      return mounts;
    };
    const start: Sandbox["start"] = async (command, signal) =>
      startInside(inside, command, await mountsFor(command.reach), signal);
    const gap: Sandbox["gap"] = async (reach) => {
      const last = known.get(JSON.stringify(reach));
      const isOld = last === undefined || (last.gap !== null && Date.now() - last.at > LOOK_AGAIN_MS);
      return isOld ? (await mountsFor(reach)).gap : last.gap;
    };
    const wayOut = await probeSandbox({ root, home, start });
    if (wayOut === null) return { available: true, reason: INSIDE, gap, start, close };
    await close();
    return missing(wayOut);
  } catch (error) {
    // Without it, the person is asked about commands.
    await close();
    return missing(errorMessage(error));
  }
}

/** A project that could not be guarded may have become smaller. */
const LOOK_AGAIN_MS = 10_000;

const PRIVATE = { recursive: true, mode: 0o700 };
const INSIDE =
  "Commands write only in the project and temporary folders, and reach no host that isn't allowed.";

function missing(why: string): Sandbox {
  const reason = `There is no sandbox here: ${why.replace(/\.$/, "")}.`;
  return {
    available: false,
    reason,
    gap: async () => reason,
    start: async () => {
      throw new Error("There is no sandbox here.");
    },
    close: async () => {},
  };
}
