// Before anything is overwritten or removed, its bytes are kept; what can't be kept stays as it is.
import { createTimeSlices } from "../base/time-slices.ts";
import type { ContentId, FileImage } from "../domain/file-change.ts";
import type { ContentStore } from "./content-store.ts";
import type { Contents, WantedContent } from "./contents.ts";
import { readSmallFile } from "./file-bytes.ts";
import type { FileLook } from "./file-look.ts";
import { openFolder, projectPlaceOf } from "./open-folder.ts";
import { type Looking, presenceAt } from "./presence.ts";
import {
  isImage,
  isModeOnly,
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
  /** How the files of the steps looked, by path. */
  readonly seen: ReadonlyMap<string, FileLook>;
}

const SMALL_BYTES = 256 * 1024;

/** Git must not keep a person waiting for ever. */
const MOST_ASKING_MS = 30_000;

/** Also checks that each file still is what it was when the plan was made. */
export async function keepFirst(keeping: RestoreKeeping, steps: readonly RestoreStep[]): Promise<ReadySteps> {
  const { looking, store, contents } = keeping;
  const conflicts: RestoreConflict[] = [];
  const ready: RestoreStep[] = [];
  const seen = new Map<string, FileLook>();
  const isKept = await keptIn(contents, steps.flatMap(contentsOfStep));
  // What is going to be needed goes last, should there be no room.
  for (const { content } of steps.flatMap(contentsOfStep)) store.touch(content);
  const comingFolders = new Set(steps.filter(({ to }) => to.type === "folder").map(({ path }) => path));
  const slices = createTimeSlices();
  for (const step of steps) {
    if (slices.due()) await slices.rest();
    const { path, from, to } = step;
    const presence = await presenceAt(looking, path, [from, to]);
    const kept = await keepStep(keeping, step, presence, isKept, comingFolders);
    if (typeof kept === "string") conflicts.push({ path, why: kept, now: presence.image, to });
    else ready.push(kept);
    if (presence.look !== null) seen.set(path, presence.look);
  }
  // To make room for one, the store may have let go of another.
  const isStillKept = await keptIn(contents, ready.flatMap(contentsOfStep));
  const isSafe = (step: RestoreStep) => isModeOnly(step) || contentsOfStep(step).every(isStillKept);
  for (const step of ready.filter((each) => !isSafe(each))) {
    const why = wantedOf(step.path, step.to).every(isStillKept) ? "can't be kept" : "not kept";
    conflicts.push({ path: step.path, why, now: step.from, to: step.to });
  }
  return { steps: ready.filter(isSafe), conflicts, seen };
}

async function keepStep(
  keeping: RestoreKeeping,
  step: RestoreStep,
  presence: Presence,
  isKept: (wanted: WantedContent) => boolean,
  comingFolders: ReadonlySet<string>,
): Promise<RestoreStep | RestoreConflict["why"]> {
  const { path, from, to } = step;
  // A file that is in the way of a folder goes before what the folder holds arrives.
  if (presence.blockedBy !== null) return comingFolders.has(presence.blockedBy) ? step : "in the way";
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
      const small = readSmallFile(folder.at(place.name), SMALL_BYTES);
      const put = await (small.type === "read"
        ? store.putBytes(small.bytes)
        : store.putFile(folder.at(place.name)));
      return put.why === null && put.content !== null && ids.includes(put.content) ? put.content : null;
    } finally {
      folder.close();
    }
  } catch {
    // It is gone, or something is in its way by now.
    return null;
  }
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
