// Starts one command in the sandbox, and looks at what it made and what it was refused when it has ended.
import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { SandboxManager } from "@anthropic-ai/sandbox-runtime";
import { shellProgram } from "../base/shell-program.ts";
import type { Environment } from "../base/xdg.ts";
import { bubblewrapArguments, mountArguments } from "./sandbox-arguments.ts";
import { sandboxVariables } from "./sandbox-environment.ts";
import { reachableHosts } from "./sandbox-hosts.ts";
import type { SandboxLibrary } from "./sandbox-library.ts";
import type { OwnPlaces, SandboxMounts } from "./sandbox-mounts.ts";
import { recordCommand } from "./sandbox-record.ts";
import { keptFolder, recordFolder } from "./sandbox-recovery.ts";
import { collectRefusals } from "./sandbox-refusals.ts";
import { type PrivateFolder, shownEntries } from "./sandbox-temporary.ts";
import type { SandboxedCommand, SandboxedStart, SandboxReach } from "./sandboxed-command.ts";
import { setAside } from "./set-aside.ts";

interface Inside {
  readonly env: Environment;
  readonly privateFolders?: readonly string[];
  readonly isKey?: (value: string) => boolean;
  readonly library: SandboxLibrary;
  readonly temporary: PrivateFolder;
  /** What looks after the commands that have not ended yet. */
  readonly running: Set<SandboxedStart["ended"]>;
}

/** A program that a command replaced would run outside the next time. */
export function ownPlaces({ library, privateFolders = [], env }: Inside): OwnPlaces {
  const runtime = env["XDG_RUNTIME_DIR"] ?? [];
  return {
    programs: library.programs.map((path) => dirname(path)),
    private: [keptFolder(env), recordFolder(env), ...privateFolders].concat(runtime),
  };
}

export async function startInside(
  inside: Inside,
  command: SandboxedCommand,
  mounts: SandboxMounts,
  signal: AbortSignal,
): Promise<SandboxedStart> {
  if (mounts.gap !== null) throw new Error(`It can't run inside the sandbox. ${mounts.gap}`);
  const { obeyed, folders } = mounts.survey;
  const before = { roots: mounts.watched, since: Date.now(), obeyed, folders };
  const forget = await recordCommand(before, inside.temporary.path, recordFolder(inside.env));
  // Whoever knows it may reach what this command may reach.
  const id = randomBytes(24).toString("base64url");
  const refusals = collectRefusals(SandboxManager.getSandboxViolationStore(), id, mounts);
  SandboxManager.registerCommandNetworkLists(id, { allowedDomains: hostsOf(command.reach) });
  const end = async () => {
    SandboxManager.unregisterCommandNetworkLists(id);
    const made = await setAside(before, keptFolder(inside.env));
    await forget();
    return { refused: refusals.taken(), setAside: made };
  };
  let report: ReturnType<typeof end> | null = null;
  const ended = () => {
    inside.running.delete(ended);
    report ??= end();
    return report;
  };
  inside.running.add(ended);
  try {
    const { outer, prefix } = sandboxVariables(process.env, command.env ?? {}, inside.isKey ?? (() => false));
    const whole = { ...command, script: `${prefix}${command.script}` };
    const { argv, env } = await wrapped(inside, mounts, whole, id, signal);
    return { argv, env: { ...outer, ...env }, ended };
  } catch (error) {
    await ended();
    throw error;
  }
}

async function wrapped(
  { library, temporary, env }: Inside,
  mounts: SandboxMounts,
  { script, folder, reach, scratch }: SandboxedCommand,
  id: string,
  signal: AbortSignal,
): Promise<Pick<SandboxedStart, "argv" | "env">> {
  const shell = shellProgram();
  const writable = scratch === undefined ? mounts.writable : [...mounts.writable, scratch];
  const named = { commandId: id, commandText: id };
  if (library.bubblewrap === null) {
    // The system itself is the sandbox. It can't mount a private folder over the temporary one, so it is told of it.
    const own = temporary.places.map((place) => place.own);
    const lists = {
      allowWrite: [...writable, ...own],
      denyWrite: [...mounts.readOnly],
      denyRead: [...mounts.hidden],
    };
    const line = await SandboxManager.wrapWithSandbox(script, shell, { filesystem: lists }, signal, named);
    return { argv: [shell, "-c", line], env: { TMPDIR: own[0] } };
  }
  const needed = [reach.home, folder, ...writable, process.execPath, shell, ...library.programs].concat(
    (env["PATH"] ?? "").split(":"),
  );
  const shown = await Promise.all(
    temporary.places.map((place) => shownEntries(place, temporary, needed, script)),
  );
  const line = await SandboxManager.wrapWithSandbox(script, shell, WITHOUT_RULES, signal, named);
  const args = mountArguments({ ...mounts, writable }, temporary, shown.flat());
  const argv = bubblewrapArguments(line, library.bubblewrap, args);
  if (argv === null) throw new Error("The sandbox library makes a command line that we don't know.");
  return { argv };
}

const WITHOUT_RULES = { filesystem: { disabled: true, denyRead: [], allowWrite: [], denyWrite: [] } };

/** A host that the library doesn't take, such as `*.com`, is not reached. */
function hostsOf({ allowedHosts, deniedHosts }: SandboxReach): string[] {
  const trial = randomBytes(24).toString("base64url");
  return reachableHosts(allowedHosts, deniedHosts).filter((host) => {
    try {
      SandboxManager.registerCommandNetworkLists(trial, { allowedDomains: [host] });
      SandboxManager.unregisterCommandNetworkLists(trial);
      return true;
    } catch {
      return false;
    }
  });
}
