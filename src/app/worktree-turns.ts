// Several processes may be at one worktree: who works in it, and whose turn it is to make, merge or remove it.
import { mkdir, readdir, readFile, rm, rmdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, parseJson } from "../base/json.ts";
import { liveness, ownIdentity } from "../base/liveness.ts";
import { TunacodeError } from "../domain/error.ts";
import { nodeDisk } from "../session/disk.ts";
import { SessionTakenError } from "../session/journal.ts";
import { acquireLease } from "../session/lease.ts";
import type { WorktreeProject } from "./worktree-place.ts";

const TURN_WITHIN_MS = 30_000;
const LOOK_AGAIN_MS = 100;

/** Making, merging and removing one worktree is done by one process at a time. */
export async function inTurn<Result>(
  { folder }: WorktreeProject,
  name: string,
  work: () => Promise<Result>,
  withinMs = TURN_WITHIN_MS,
): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      const lease = await acquireLease(nodeDisk, join(folder, `${name}.lease`));
      try {
        return await work();
      } finally {
        await lease.release();
        await rmdir(folder).catch(() => {});
      }
    } catch (error) {
      if (!(error instanceof SessionTakenError)) throw error;
      if (performance.now() > deadline)
        throw new TunacodeError("usage", `Another process is busy with worktree ${name}. Try again later.`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }
}

function usersFolder({ folder }: WorktreeProject, name: string): string {
  return join(folder, `${name}.users`);
}

/** A process on another machine can't be seen, but its mark is touched while it runs. */
const SIGN_OF_LIFE_MS = 10_000;
const SILENT_MS = 60_000;

/** Says that this process works in it. Returns what takes that back. */
export async function useWorktree(project: WorktreeProject, name: string): Promise<() => Promise<void>> {
  const mark = join(usersFolder(project, name), crypto.randomUUID());
  await mkdir(usersFolder(project, name), { recursive: true, mode: 0o700 });
  await writeFile(mark, JSON.stringify(ownIdentity()), { mode: 0o600 });
  const touch = () => void utimes(mark, new Date(), new Date()).catch(() => {});
  const timer = setInterval(touch, SIGN_OF_LIFE_MS).unref();
  return async () => {
    clearInterval(timer);
    await rm(mark, { force: true });
  };
}

/** The id of a process that works in it, or null. */
export async function userOf(project: WorktreeProject, name: string): Promise<number | null> {
  const folder = usersFolder(project, name);
  for (const mark of await readdir(folder).catch(() => [])) {
    const facts = await stat(join(folder, mark)).catch(() => null);
    const parsed = parseJson(await readFile(join(folder, mark), "utf8").catch(() => ""));
    if (facts === null || !parsed.ok || !isJsonObject(parsed.value)) continue;
    const { pid, started, host, boot, namespace } = parsed.value;
    if (typeof pid !== "number") continue;
    const state = liveness({
      pid,
      started: `${started}`,
      host: `${host}`,
      boot: `${boot}`,
      namespace: `${namespace}`,
    });
    const isSilent = Date.now() - facts.mtimeMs > SILENT_MS;
    if (state !== "dead" && !(state === "elsewhere" && isSilent)) return pid;
  }
  return null;
}
