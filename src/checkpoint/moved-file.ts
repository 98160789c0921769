// What was moved away to make room: it is removed if it still is what it was, and otherwise gets a name again.
import { closeSync, constants, openSync } from "node:fs";
import type { FileImage } from "../domain/file-change.ts";
import { presenceIn } from "./presence.ts";
import { copyNew, putInPlace } from "./put-in-place.ts";
import { type ConflictReason, isImage } from "./restore-plan.ts";
import {
  DONE,
  isThere,
  type OpenStep,
  type StepContext,
  type StepOutcome,
  temporaryNames,
} from "./step-context.ts";

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Removes what `exchange` has moved away, if it still is what it was: somebody may have had it open. */
export async function discardMoved(context: StepContext, open: OpenStep): Promise<StepOutcome> {
  const { step, folder } = open;
  const { calls } = context;
  const { moved } = temporaryNames(context, open);
  const stat = calls.lstatSync(folder.at(moved), { throwIfNoEntry: false });
  if (stat === undefined) return DONE;
  // Nobody can write to a symlink.
  const descriptor = stat.isFile() ? openSync(folder.at(moved), READ) : null;
  try {
    const before = descriptor === null ? stat : calls.fstatSync(descriptor);
    const went = await presenceIn(context, folder, moved, [step.from]);
    const isWanted = !isImage(went, step.from) || context.isOpen(moved) || isUnfilled(context, open);
    if (isWanted) return giveBack(context, open, { why: "changed since", now: went.image });
    calls.unlinkSync(folder.at(moved));
    if (descriptor === null) return DONE;
    const after = calls.fstatSync(descriptor);
    if (after.mtimeMs === before.mtimeMs && after.size === before.size) return DONE;
    const aside = asideName(context, open);
    copyNew(calls, descriptor, folder.at(aside));
    return { type: "conflict", why: "changed since", now: step.to, detail: keptAside(aside), isAside: true };
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** The new file did not get there, or somebody removed it at once. */
function isUnfilled(context: StepContext, { step, folder, name }: OpenStep): boolean {
  return (step.to.type === "file" || step.to.type === "link") && !isThere(context, folder, name);
}

/** What was moved away is not what was expected, or its place can't be filled: it gets its name back. */
export function giveBack(
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

function keptAside(aside: string): string {
  return `Another program was writing to it; its version is in ${aside}, beside it.`;
}

function asideName({ restoreId }: StepContext, { name, index }: OpenStep): string {
  return `${name.slice(0, 40)}.${restoreId}-${index}`;
}
