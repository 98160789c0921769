// The folders of a restore: they come before what is in them, go when they are empty, and get their modes last.
import { changeMode, openFolder, projectPlaceOf } from "./open-folder.ts";
import { type Looking, presenceIn } from "./presence.ts";
import { statAt } from "./restore-calls.ts";
import type { RestoreStep } from "./restore-plan.ts";
import { changedSince, DONE, type OpenStep, type StepContext, type StepOutcome } from "./step-context.ts";

/** It gets its own mode when its files are in it. */
const NEW_FOLDER_MODE = 0o700;

export async function arriveFolder(context: StepContext, { folder, name }: OpenStep): Promise<StepOutcome> {
  const now = await presenceIn(context, folder, name, []);
  // A killed process made it, or somebody else wants it, too.
  if (now.image.type === "folder") return DONE;
  if (now.image.type !== "absent") return changedSince(now);
  if (!folder.isInPlace()) return { type: "conflict", why: "in the way", now: now.image };
  context.calls.mkdirSync(folder.at(name), NEW_FOLDER_MODE);
  return DONE;
}

export async function removeFolder(
  context: StepContext,
  { step, folder, name }: OpenStep,
): Promise<StepOutcome> {
  const now = await presenceIn(context, folder, name, []);
  if (now.image.type === "absent") return DONE;
  // It has gone already; whether what is there may stay is seen when the file arrives.
  if (now.image.type !== "folder") return step.to.type === "absent" ? changedSince(now) : DONE;
  if (now.names.length > 0) return { type: "conflict", why: "not empty", now: now.image };
  if (!folder.isInPlace()) return { type: "conflict", why: "in the way", now: now.image };
  context.calls.rmdirSync(folder.at(name));
  return DONE;
}

export async function setFolderMode(
  context: StepContext,
  { step, folder, name }: OpenStep,
): Promise<StepOutcome> {
  const { from, to } = step;
  const now = await presenceIn(context, folder, name, []);
  if (now.image.type !== "folder" || to.type !== "folder") return changedSince(now);
  if (now.image.mode === to.mode) return DONE;
  const expected = from.type === "folder" ? [from.mode, from.mode | 0o700] : [NEW_FOLDER_MODE];
  const isOurs = expected.some(
    (mode) => now.image.type === "folder" && withoutGroupBit(now.image.mode) === withoutGroupBit(mode),
  );
  if (!isOurs) return changedSince(now);
  changeMode(context.calls, folder.at(name), to.mode);
  return DONE;
}

/** A new folder has it if the folder around it has it. */
function withoutGroupBit(mode: number): number {
  return mode & ~0o2000;
}

/** A folder that its owner may not write to, opened for the time of the restore. */
export interface UnlockedFolder {
  /** Absolute. */
  readonly path: string;
  readonly mode: number;
}

/** Root may write anywhere; everybody else only where the folder says so, and its owner may change what it says. */
export function lockedFolders(
  { files, calls }: Looking,
  steps: readonly RestoreStep[],
): readonly UnlockedFolder[] {
  const user = process.geteuid?.() ?? 0;
  const folders = new Set(steps.flatMap(({ path }) => projectPlaceOf(files, path)?.folder ?? []));
  return [...folders].flatMap((path) => {
    const stat = statAt(calls, path);
    const mode = (stat?.mode ?? 0) & 0o7777;
    const isLocked = stat?.isDirectory() === true && stat.uid === user && (mode & 0o300) !== 0o300;
    return isLocked && user !== 0 ? [{ path, mode }] : [];
  });
}

/** Root may do without it. What can't be changed will show in the steps. */
export function setLockedMode({ calls }: Looking, { path, mode }: UnlockedFolder): void {
  try {
    const folder = openFolder(calls, path);
    try {
      calls.chmodSync(folder.itself, mode);
    } finally {
      folder.close();
    }
  } catch {
    // It is gone, or somebody else's.
  }
}
