// What has to happen to each file to take changes back, and where that can't be done without losing something. Pure.
import { ABSENT, type FileChange, type FileImage } from "../domain/file-change.ts";

export interface RestoreStep {
  readonly path: string;
  /** What is there now, as the run left it. */
  readonly from: FileImage;
  readonly to: FileImage;
}

export interface RestoreConflict {
  readonly path: string;
  readonly why: "changed since" | "not kept" | "can't be kept" | "special";
  readonly now: FileImage;
  readonly to: FileImage;
}

export interface RestorePlan {
  /** In an order in which they can be carried out. */
  readonly steps: readonly RestoreStep[];
  readonly conflicts: readonly RestoreConflict[];
}

export interface RestoreGround {
  readonly now: (path: string) => FileImage;
  /** The bytes can be had. */
  readonly isKept: (path: string, image: FileImage) => boolean;
  /** The bytes that would be overwritten can be kept first. */
  readonly canKeep: (image: FileImage) => boolean;
}

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
  const steps: RestoreStep[] = [];
  const conflicts: RestoreConflict[] = [];
  for (const { path, before: to, after } of joinChanges(changes)) {
    const now = ground.now(path);
    if (isSameImage(now, to)) continue;
    const why = obstacle(path, { now, after, to }, ground);
    if (why === null) steps.push({ path, from: now, to });
    else conflicts.push({ path, why, now, to });
  }
  return { steps: inOrder(steps), conflicts };
}

function obstacle(
  path: string,
  { now, after, to }: { readonly now: FileImage; readonly after: FileImage; readonly to: FileImage },
  ground: RestoreGround,
): RestoreConflict["why"] | null {
  if ([now, to].some(({ type }) => type === "special")) return "special";
  if (!isSameImage(now, after)) return "changed since";
  if (!ground.isKept(path, to)) return "not kept";
  return ground.canKeep(now) ? null : "can't be kept";
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

/** First what goes, the deepest first; then what comes, folders before what is in them. */
function inOrder(steps: readonly RestoreStep[]): readonly RestoreStep[] {
  const depth = (step: RestoreStep) => step.path.split("/").length;
  const [going, coming] = [steps.filter(isGoing), steps.filter((step) => !isGoing(step))];
  return [
    ...going.toSorted((one, other) => depth(other) - depth(one)),
    ...coming.toSorted((one, other) => depth(one) - depth(other)),
  ];
}

function isGoing({ to }: RestoreStep): boolean {
  return to.type === ABSENT.type;
}
