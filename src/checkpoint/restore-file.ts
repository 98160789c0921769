// One file of a restore, in steps of which each can be the last: the new file is written beside it, the current one is
// moved away and looked at, then the new one gets the name. Whatever somebody else does meanwhile, nothing is lost.
// Each function takes up a step wherever a killed process left it.
import { failureCode } from "../base/failure-code.ts";
import { isSameLook, lookOf } from "./file-look.ts";
import { giveBack } from "./moved-file.ts";
import { writeNew } from "./new-file.ts";
import { changeMode, type OpenFolder } from "./open-folder.ts";
import { presenceIn } from "./presence.ts";
import { putInPlace } from "./put-in-place.ts";
import { statAt } from "./restore-calls.ts";
import { isImage, isModeOnly, withModeOf } from "./restore-plan.ts";
import {
  changedSince,
  DONE,
  isThere,
  type OpenStep,
  refusal,
  type StepContext,
  type StepOutcome,
  temporaryNames,
} from "./step-context.ts";

/** A file or a link is there: it is moved away, and replaced unless a folder or nothing is to be there. */
export async function exchange(context: StepContext, open: OpenStep): Promise<StepOutcome> {
  const { step, folder, name } = open;
  const { from, to } = step;
  const names = temporaryNames(context, open);
  try {
    if (isStillAsSeen(context, open)) {
      if (isModeOnly(step) && hasOneName(context, open)) return changeFileMode(context, open);
      if (!writeNew(context, open)) return { type: "conflict", why: "not kept", now: from };
      if (!folder.isInPlace()) return { type: "conflict", why: "in the way", now: from };
      context.calls.renameSync(folder.at(name), folder.at(names.moved));
    } else if (isThere(context, folder, names.moved)) {
      // A killed process moved it. What it is will be seen before it goes.
      if (isImage(await presenceIn(context, folder, name, [to]), to)) return DONE;
      if (!writeNew(context, open)) return giveBack(context, open, { why: "not kept", now: from });
    } else {
      const now = await presenceIn(context, folder, name, [from, to]);
      if (isImage(now, to)) return DONE;
      if (to.type === "folder" && ["absent", "folder"].includes(now.image.type)) return DONE;
      if (!isImage(now, from)) return changedSince(now);
      if (isImage(now, withModeOf(to, from)) && hasOneName(context, open))
        return changeFileMode(context, open);
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
    if (!writeNew(context, open)) return { type: "conflict", why: "not kept", now: now.image };
    if (!folder.isInPlace()) return { type: "conflict", why: "in the way", now: now.image };
    return await placeNew(context, open);
  } finally {
    removeIfThere(context, folder, fresh);
  }
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

/** Only whether it is worth to read it again: what is moved away is read in any case. */
function isStillAsSeen({ seen, calls }: StepContext, { step, folder, name }: OpenStep): boolean {
  const look = seen.get(step.path);
  const stat = look && statAt(calls, folder.at(name));
  return look !== undefined && stat !== undefined && isSameLook(look, lookOf(stat));
}

/** The mode belongs to all names of a file, also to those that are none of ours. */
function hasOneName({ calls }: StepContext, { folder, name }: OpenStep): boolean {
  return statAt(calls, folder.at(name))?.nlink === 1;
}

function changeFileMode({ calls }: StepContext, { step, folder, name }: OpenStep): StepOutcome {
  if (step.to.type === "file") changeMode(calls, folder.at(name), step.to.mode);
  return DONE;
}

function removeIfThere(context: StepContext, folder: OpenFolder, name: string): void {
  if (isThere(context, folder, name)) context.calls.unlinkSync(folder.at(name));
}
