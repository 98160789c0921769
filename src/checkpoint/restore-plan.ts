// What has to happen to each file to take changes back, and where that can't be done without losing something. Pure.
import { ABSENT, type ContentId, type FileChange, type FileImage } from "../domain/file-change.ts";
import type { FileLook } from "./file-look.ts";

export interface RestoreStep {
  readonly path: string;
  /** What is there now, as the run left it. */
  readonly from: FileImage;
  readonly to: FileImage;
}

export interface RestoreConflict {
  readonly path: string;
  readonly why: ConflictReason;
  readonly now: FileImage;
  readonly to: FileImage;
  /** More about it, as whole sentences. */
  readonly detail?: string;
}

export type ConflictReason =
  /** The only one that a person can decide on: what is there can be kept, and what was there is kept. */
  | "changed since"
  | "not kept"
  /** It is too large, there is no room, or nobody may read it: to overwrite it would lose it. */
  | "can't be kept"
  | "special"
  /** A folder on the way to it is a symlink or a file now, or it is not in the project. */
  | "in the way"
  /** A folder that the run made holds other files by now, so it stays. */
  | "not empty"
  /** The file system refused. */
  | "failed";

export interface RestorePlan {
  /** In an order in which they can be carried out. */
  readonly steps: readonly RestoreStep[];
  readonly conflicts: readonly RestoreConflict[];
}

/** What is at a path. */
export interface Presence {
  readonly image: FileImage;
  /** All names of its bytes that anybody asked for. */
  readonly ids: readonly ContentId[];
  /** The path of the parent that is no folder; the path itself if it is not in the project. */
  readonly blockedBy: string | null;
  /** The names in a folder. */
  readonly names: readonly string[];
  /** How a file or a link looked right before its bytes were read. */
  readonly look: FileLook | null;
}

export interface RestoreGround {
  readonly now: (path: string) => Presence;
  /** The bytes can be had. */
  readonly isKept: (path: string, image: FileImage) => boolean;
  /** The bytes that would be overwritten can be kept first. */
  readonly canKeep: (image: FileImage) => boolean;
}

/** A folder that is missing, and that no change tells the mode of. */
const FOLDER_MODE = 0o755;

/** Several changes of one path become one: from what was there first to what was there last. */
export function joinChanges(changes: readonly FileChange[]): readonly FileChange[] {
  const joined = new Map<string, FileChange>();
  for (const change of changes) {
    const before = joined.get(change.path)?.before ?? change.before;
    joined.set(change.path, { ...change, before });
  }
  return [...joined.values()].filter(({ before, after }) => !isSameImage(before, after));
}

export function planRestore(changes: readonly FileChange[], ground: RestoreGround): RestorePlan {
  const steps = new Map<string, RestoreStep>();
  const conflicts: RestoreConflict[] = [];
  const joined = joinChanges(changes).toSorted((one, other) => depth(one) - depth(other));
  for (const { path, before: to, after } of joined) {
    const presence = ground.now(path);
    if (presence.blockedBy === null && isImage(presence, to)) continue;
    const why = obstacle(path, { presence, after, to }, ground, steps);
    const now = presence.image;
    if (why === null) {
      for (const parent of missingParents(path, to, ground))
        if (!steps.has(parent.path)) steps.set(parent.path, parent);
      steps.set(path, { path, from: now, to });
    } else conflicts.push({ path, why, now, to });
  }
  // The deepest first, because a folder that stays keeps the one around it.
  for (const step of [...steps.values()]
    .filter(({ from, to }) => from.type === "folder" && to.type !== "folder")
    .toReversed()) {
    const staying = ground
      .now(step.path)
      .names.filter((name) => steps.get(`${step.path}/${name}`)?.to.type !== "absent");
    if (staying.length === 0) continue;
    steps.delete(step.path);
    conflicts.push({ path: step.path, why: "not empty", now: step.from, to: step.to });
  }
  return { steps: [...steps.values()], conflicts };
}

function obstacle(
  path: string,
  { presence, after, to }: { readonly presence: Presence; readonly after: FileImage; readonly to: FileImage },
  ground: RestoreGround,
  steps: ReadonlyMap<string, RestoreStep>,
): ConflictReason | null {
  const { image: now, blockedBy } = presence;
  if (now.type === "special" || to.type === "special") return "special";
  if (blockedBy !== null && steps.get(blockedBy)?.to.type !== "folder") return "in the way";
  const isModeOnly = isImage(presence, withModeOf(to, now));
  if (!isModeOnly && !ground.isKept(path, to)) return "not kept";
  if (!isModeOnly && !ground.canKeep(now)) return "can't be kept";
  if (now.type === "folder" && to.type === "absent" && after.type === "folder") return null;
  return isImage(presence, after) ? null : "changed since";
}

/** What is there is the same as this image. */
export function isImage({ image, ids }: Pick<Presence, "image" | "ids">, wanted: FileImage): boolean {
  if (image.type !== "file" || wanted.type !== "file") return isSameImage(image, wanted);
  return wanted.content !== null && ids.includes(wanted.content) && image.mode === wanted.mode;
}

/** Steps of which this is true change no bytes. */
export function withModeOf(image: FileImage, other: FileImage): FileImage {
  return image.type === "file" && other.type === "file" ? { ...image, mode: other.mode } : image;
}

/** Both name the bytes in the same way. */
export function isModeOnly({ from, to }: RestoreStep): boolean {
  return from.type === "file" && to.type === "file" && from.content !== null && from.content === to.content;
}

/** A file whose bytes nobody knows equals no other. */
export function isSameImage(one: FileImage, other: FileImage): boolean {
  switch (one.type) {
    case "absent":
      return other.type === "absent";
    case "file":
      return (
        other.type === "file" &&
        one.content !== null &&
        one.content === other.content &&
        one.mode === other.mode
      );
    case "link":
      return other.type === "link" && one.target === other.target;
    case "folder":
      return other.type === "folder" && one.mode === other.mode;
    case "special":
      return false;
  }
}

/** Somebody removed the folder that a file was in. */
function missingParents(path: string, to: FileImage, ground: RestoreGround): readonly RestoreStep[] {
  if (to.type === ABSENT.type) return [];
  return parentsOf(path)
    .filter((parent) => {
      const { image, blockedBy } = ground.now(parent);
      return image.type === ABSENT.type && blockedBy !== parent;
    })
    .map((parent) => ({ path: parent, from: ABSENT, to: { type: "folder", mode: FOLDER_MODE } }));
}

/** Outermost first; of a path in a folder that was added, also those around that folder. */
export function parentsOf(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/")).filter((parent) => parent !== "");
}

function depth({ path }: { readonly path: string }): number {
  return path.split("/").length;
}
