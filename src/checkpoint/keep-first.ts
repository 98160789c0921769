// Before anything is overwritten or removed, its bytes are kept; what can't be kept stays as it is.
import { createTimeSlices } from "../base/time-slices.ts";
import type { ContentId, FileImage } from "../domain/file-change.ts";
import type { ContentStore } from "./content-store.ts";
import type { Contents, WantedContent } from "./contents.ts";
import { openFolder, projectPlaceOf } from "./open-folder.ts";
import { type Looking, presenceAt } from "./presence.ts";
import {
  isImage,
  type Presence,
  type RestoreConflict,
  type RestoreStep,
  withModeOf,
} from "./restore-plan.ts";

export interface RestoreKeeping {
  readonly looking: Looking;
  readonly store: ContentStore;
  readonly contents: Contents;
}

interface ReadySteps {
  readonly steps: readonly RestoreStep[];
  readonly conflicts: readonly RestoreConflict[];
}

/** Git must not keep a person waiting for ever. */
const MOST_ASKING_MS = 30_000;

/** Also checks that each file still is what it was when the plan was made. */
export async function keepFirst(keeping: RestoreKeeping, steps: readonly RestoreStep[]): Promise<ReadySteps> {
  const { looking, store, contents } = keeping;
  const conflicts: RestoreConflict[] = [];
  const ready: RestoreStep[] = [];
  const isKept = await keptIn(contents, steps.flatMap(contentsOfStep));
  // What is going to be needed goes last, should there be no room.
  for (const { content } of steps.flatMap(contentsOfStep)) store.touch(content);
  const slices = createTimeSlices();
  for (const step of steps) {
    if (slices.due()) await slices.rest();
    const { path, from, to } = step;
    const presence = await presenceAt(looking, path, [from, to]);
    const kept = await keepStep(keeping, step, presence, isKept);
    if (typeof kept === "string") conflicts.push({ path, why: kept, now: presence.image, to });
    else ready.push(kept);
  }
  // To make room for one, the store may have let go of another.
  const isStillKept = await keptIn(contents, ready.flatMap(contentsOfStep));
  const isSafe = (step: RestoreStep) => isModeOnly(step) || contentsOfStep(step).every(isStillKept);
  for (const step of ready.filter((each) => !isSafe(each))) {
    const why = wantedOf(step.path, step.to).every(isStillKept) ? "can't be kept" : "not kept";
    conflicts.push({ path: step.path, why, now: step.from, to: step.to });
  }
  return { steps: ready.filter(isSafe), conflicts };
}

async function keepStep(
  keeping: RestoreKeeping,
  step: RestoreStep,
  presence: Presence,
  isKept: (wanted: WantedContent) => boolean,
): Promise<RestoreStep | RestoreConflict["why"]> {
  const { path, from, to } = step;
  // A file that is in the way of a folder goes before what the folder holds arrives.
  if (presence.blockedBy !== null && from.type === "absent") return step;
  if (!isImage(presence, from)) return "changed since";
  if (from.type !== "file") return step;
  // With the name that it already has, a later look at what is there costs less.
  if (isImage(presence, withModeOf(to, from)) && to.type === "file")
    return { path, from: { ...from, content: to.content }, to };
  if (wantedOf(path, from).some(isKept)) return step;
  const content = await keep(keeping, path, presence.ids);
  return content === null ? "can't be kept" : { path, from: { ...from, content }, to };
}

async function keep(
  { looking, store }: RestoreKeeping,
  path: string,
  ids: readonly ContentId[],
): Promise<ContentId | null> {
  const place = projectPlaceOf(looking.files, path);
  if (place === null) return null;
  try {
    const folder = openFolder(looking.calls, place.folder);
    try {
      const put = await store.putFile(folder.at(place.name));
      return put.why === null && put.content !== null && ids.includes(put.content) ? put.content : null;
    } finally {
      folder.close();
    }
  } catch {
    // It is gone, or something is in its way by now.
    return null;
  }
}

function isModeOnly({ from, to }: RestoreStep): boolean {
  return from.type === "file" && to.type === "file" && from.content !== null && from.content === to.content;
}

function contentsOfStep({ path, from, to }: RestoreStep): readonly WantedContent[] {
  return [...wantedOf(path, from), ...wantedOf(path, to)];
}

export function wantedOf(path: string, image: FileImage): readonly WantedContent[] {
  return image.type === "file" && image.content !== null ? [{ path, content: image.content }] : [];
}

/** Which of these bytes can be had. */
export async function keptIn(
  contents: Contents,
  wanted: readonly WantedContent[],
): Promise<(one: WantedContent) => boolean> {
  const missing = await contents.missing(wanted, AbortSignal.timeout(MOST_ASKING_MS));
  const kept = new Set(wanted.filter((each) => !missing.has(each)).map(keyOf));
  return (one) => kept.has(keyOf(one));
}

function keyOf({ path, content }: WantedContent): string {
  return `${content} ${path}`;
}
