// Which paths belong to the project: its root, and the folders that the person added to it.
import { dirname, join, relative } from "node:path";
import { isWithin } from "../base/real-path.ts";
import type { PermissionContext } from "./context.ts";

export function projectFolders({ workspace, addedFolders = [] }: PermissionContext): readonly string[] {
  return [workspace.root, ...addedFolders];
}

/** `path` is a real path. */
export function isOutside(path: string, access: "read" | "write", context: PermissionContext): boolean {
  if (projectFolders(context).some((folder) => isWithin(path, folder))) return false;
  // What lies deeper is undo's, and names files that nobody may read.
  const readable = access === "read" ? (context.readableFolders ?? []) : [];
  return ![path, dirname(path)].some((each) => readable.includes(each));
}

/**
 * Whether commands in the sandbox find this real path in their own temporary folder, which nobody else sees. What the
 * machine has there is shown to them as it is, and can't be written.
 */
export function isPrivate(
  path: string,
  { sandbox, temporaryFolders = [], disk }: PermissionContext,
): boolean {
  if (!sandbox) return false;
  const place = temporaryFolders
    .filter((folder) => isWithin(path, folder))
    .sort(byLength)
    .at(-1);
  const [name = ""] = place === undefined ? [] : relative(place, path).split("/");
  return place !== undefined && name !== "" && disk.kindOf(join(place, name)) === null;
}

function byLength(one: string, other: string): number {
  return one.length - other.length;
}

/** The folder and those above it, as long as they belong to one of these. */
export function foldersAbove(folder: string, roots: readonly string[]): readonly string[] {
  const above: string[] = [];
  for (let current = folder; roots.some((root) => isWithin(current, root)); current = dirname(current)) {
    above.push(current);
    if (current === dirname(current)) break;
  }
  return above;
}

/** Relative to the project's root, if it is there. */
export function shownPath(path: string, { workspace }: PermissionContext): string {
  const inside = relative(workspace.root, path);
  return inside === "" ? "the project" : inside.startsWith("..") ? path : inside;
}
