// One file of a restore, in steps of which each can be the last: the new file is written beside it, the current one is
// moved away and looked at, then the new one gets the name. Whatever somebody else does meanwhile, nothing is lost.
// Each function takes up a step wherever a killed process left it.
import { closeSync, constants, openSync } from "node:fs";
import type { FileImage } from "../domain/file-change.ts";
import type { RestoreId } from "../domain/ids.ts";
import { changeMode, type OpenFolder } from "./open-folder.ts";
import { type Looking, presenceIn } from "./presence.ts";
import { copyNew, putInPlace } from "./put-in-place.ts";
import { failureCode } from "./restore-calls.ts";
import { type ConflictReason, isImage, type Presence, type RestoreStep, withModeOf } from "./restore-plan.ts";

export interface StepContext extends Looking {
  readonly restoreId: RestoreId;
  /** The bytes of a file that is to be there; null if they can't be had. */
  readonly bytesFor: (step: RestoreStep) => Uint8Array | null;
  /** Some program may still write to the file that was moved to this name. */
  readonly isOpen: (name: string) => boolean;
}

/** A step with the folder that its file is in. */
export interface OpenStep {
  readonly step: RestoreStep;
  readonly folder: OpenFolder;
  readonly name: string;
  /** Distinguishes the names that it uses from those of other steps. */
  readonly index: number;
}

export type StepOutcome =
  | { readonly type: "done" }
  | {
      readonly type: "conflict";
      readonly why: ConflictReason;
      readonly now: FileImage;
      readonly detail?: string;
      /** Somebody else's version got another name, because theirs or ours is in its place. */
      readonly isAside?: boolean;
    };

export const DONE: StepOutcome = { type: "done" };

/** A file or a link is there: it is moved away, and replaced unless a folder or nothing is to be there. */
export async function exchange(context: StepContext, open: OpenStep): Promise<StepOutcome> {
  const { step, folder, name } = open;
  const { from, to } = step;
  const names = temporaryNames(context, open);
  try {
    if (isThere(context, folder, names.moved)) {
      // A killed process moved it.
      if (!writeNew(context, open)) return giveBack(context, open, { why: "not kept", now: from });
    } else {
      const now = await presenceIn(context, folder, name, [from, to]);
      if (isImage(now, to)) return DONE;
      if (to.type === "folder" && ["absent", "folder"].includes(now.image.type)) return DONE;
      if (!isImage(now, from)) return changedSince(now);
      if (isImage(now, withModeOf(to, from))) return changeFileMode(context, open);
      if (!writeNew(context, open)) return { type: "conflict", why: "not kept", now: now.image };
      if (!folder.isInPlace()) return { type: "conflict", why: "in the way", now: now.image };
      context.calls.renameSync(folder.at(name), folder.at(names.moved));
    }
    const went = await presenceIn(context, folder, names.moved, [from]);
    if (!isImage(went, from)) return giveBack(context, open, { why: "changed since", now: went.image });
    return await placeNew(context, open);
  } catch (error) {
    if (!isThere(context, folder, names.moved)) throw error;
    return giveBack(context, open, { why: "failed", now: from, detail: refusal(error) });
  } finally {
    removeIfThere(context, folder, names.fresh);
  }
}

/** Nothing is there, or no longer. */
export async function arrive(context: StepContext, open: OpenStep): Promise<StepOutcome> {
  const { step, folder, name } = open;
  const { fresh } = temporaryNames(context, open);
  try {
    const now = await presenceIn(context, folder, name, [step.to]);
    if (isImage(now, step.to)) return DONE;
    if (step.to.type === "folder") return arriveFolder(context, open, now);
    if (!writeNew(context, open)) return { type: "conflict", why: "not kept", now: now.image };
    if (!folder.isInPlace()) return { type: "conflict", why: "in the way", now: now.image };
    return await placeNew(context, open);
  } finally {
    removeIfThere(context, folder, fresh);
  }
}

function arriveFolder({ calls }: StepContext, { folder, name }: OpenStep, now: Presence): StepOutcome {
  // A killed process made it, or somebody else wants it, too.
  if (now.image.type === "folder") return DONE;
  if (now.image.type !== "absent") return changedSince(now);
  calls.mkdirSync(folder.at(name), NEW_FOLDER_MODE);
  return DONE;
}

/** It gets its own mode when its files are in it. */
export const NEW_FOLDER_MODE = 0o700;

/** Removes what `exchange` has moved away, if it still is what it was: somebody may have had it open. */
export async function discardMoved(context: StepContext, open: OpenStep): Promise<StepOutcome> {
  const { step, folder } = open;
  const { calls } = context;
  const { moved } = temporaryNames(context, open);
  const stat = calls.lstatSync(folder.at(moved), { throwIfNoEntry: false });
  if (stat === undefined) return DONE;
  if (stat.isSymbolicLink()) {
    if (isUnfilled(context, open)) return giveBack(context, open, { why: "changed since", now: step.from });
    calls.unlinkSync(folder.at(moved));
    return DONE;
  }
  const descriptor = openSync(folder.at(moved), constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const before = calls.fstatSync(descriptor);
    const went = await presenceIn(context, folder, moved, [step.from]);
    const isWanted = !isImage(went, step.from) || context.isOpen(moved) || isUnfilled(context, open);
    if (isWanted) return giveBack(context, open, { why: "changed since", now: went.image });
    calls.unlinkSync(folder.at(moved));
    const after = calls.fstatSync(descriptor);
    if (after.mtimeMs === before.mtimeMs && after.size === before.size) return DONE;
    const aside = asideName(context, open);
    copyNew(calls, descriptor, folder.at(aside));
    return { type: "conflict", why: "changed since", now: step.to, detail: keptAside(aside), isAside: true };
  } finally {
    closeSync(descriptor);
  }
}

/** The new file did not get there, or somebody removed it at once. */
function isUnfilled(context: StepContext, { step, folder, name }: OpenStep): boolean {
  return (step.to.type === "file" || step.to.type === "link") && !isThere(context, folder, name);
}

/** What was moved away is not what was expected, or its place can't be filled: it gets its name back. */
function giveBack(
  context: StepContext,
  open: OpenStep,
  conflict: { readonly why: ConflictReason; readonly now: FileImage; readonly detail?: string },
): StepOutcome {
  const { calls } = context;
  const { folder, name } = open;
  const { moved } = temporaryNames(context, open);
  if (putInPlace(calls, folder, moved, name)) return { type: "conflict", ...conflict };
  const aside = asideName(context, open);
  calls.renameSync(folder.at(moved), folder.at(aside));
  return { type: "conflict", ...conflict, detail: keptAside(aside), isAside: true };
}

async function placeNew(context: StepContext, open: OpenStep): Promise<StepOutcome> {
  const { step, folder, name } = open;
  const { calls } = context;
  if (step.to.type === "file") {
    if (putInPlace(calls, folder, temporaryNames(context, open).fresh, name)) return DONE;
  } else if (step.to.type === "link") {
    try {
      calls.symlinkSync(step.to.target, folder.at(name));
      return DONE;
    } catch (error) {
      if (failureCode(error) !== "EEXIST") throw error;
    }
  } else return DONE;
  const now = await presenceIn(context, folder, name, [step.to]);
  return isImage(now, step.to) ? DONE : changedSince(now);
}

/** Writes the new file beside its place. Returns false if its bytes can't be had. */
function writeNew(context: StepContext, open: OpenStep): boolean {
  const { step, folder, name } = open;
  const { calls } = context;
  const { to } = step;
  if (to.type !== "file") return true;
  const bytes = context.bytesFor(step);
  if (bytes === null) return false;
  const { fresh } = temporaryNames(context, open);
  removeIfThere(context, folder, fresh);
  const owner = calls.lstatSync(folder.at(name), { throwIfNoEntry: false });
  const descriptor = calls.openSync(folder.at(fresh), "wx", 0o600);
  try {
    for (let written = 0; written < bytes.length; )
      written += calls.writeSync(descriptor, bytes, written, bytes.length - written);
    const own = calls.fstatSync(descriptor);
    if (owner?.isFile() === true && (owner.uid !== own.uid || owner.gid !== own.gid))
      keepOwner(context, descriptor, owner);
    calls.fchmodSync(descriptor, to.mode);
  } finally {
    calls.closeSync(descriptor);
  }
  return true;
}

function keepOwner(
  { calls }: StepContext,
  descriptor: number,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): void {
  try {
    calls.fchownSync(descriptor, uid, gid);
  } catch {
    // Only root may give files away; a file that is the person's own loses nothing.
  }
}

function changeFileMode({ calls }: StepContext, { step, folder, name }: OpenStep): StepOutcome {
  if (step.to.type === "file") changeMode(calls, folder.at(name), step.to.mode);
  return DONE;
}

export function changedSince({ image }: Presence): StepOutcome {
  return { type: "conflict", why: "changed since", now: image };
}

/** A whole sentence. */
export function refusal(error: unknown): string {
  const code = failureCode(error);
  if (code === "ENOSPC" || code === "EDQUOT") return "There is no room on the disk.";
  return `The file system refused it${code === "" ? "" : ` (${code})`}.`;
}

function keptAside(aside: string): string {
  return `Another program was writing to it; its version is in ${aside}, beside it.`;
}

function asideName({ restoreId }: StepContext, { name, index }: OpenStep): string {
  return `${name.slice(0, 40)}.${restoreId}-${index}`;
}

function temporaryNames(
  { restoreId }: StepContext,
  { index }: OpenStep,
): { readonly fresh: string; readonly moved: string } {
  const start = `${temporaryStart(restoreId)}${index}`;
  return { fresh: `${start}-new`, moved: `${start}-old` };
}

/** All names that a restore uses for a while begin like this. */
export function temporaryStart(restoreId: RestoreId): string {
  return `.tunacode-${restoreId}-`;
}

function isThere({ calls }: StepContext, folder: OpenFolder, name: string): boolean {
  return calls.lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined;
}

function removeIfThere(context: StepContext, folder: OpenFolder, name: string): void {
  if (isThere(context, folder, name)) context.calls.unlinkSync(folder.at(name));
}
