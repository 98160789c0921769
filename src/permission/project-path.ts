// Which paths belong to the project: its root, and the folders that the person added to it.
import { relative } from "node:path";
import { isWithin } from "../base/real-path.ts";
import type { PermissionContext } from "./context.ts";

export function projectFolders({ workspace, addedFolders = [] }: PermissionContext): readonly string[] {
  return [workspace.root, ...addedFolders];
}

/** `path` is a real path. */
export function isOutside(path: string, access: "read" | "write", context: PermissionContext): boolean {
  const readable = access === "read" ? (context.readableFolders ?? []) : [];
  return ![...projectFolders(context), ...readable].some((folder) => isWithin(path, folder));
}

/** Relative to the project's root, if it is there. */
export function shownPath(path: string, { workspace }: PermissionContext): string {
  const inside = relative(workspace.root, path);
  return inside === "" ? "the project" : inside.startsWith("..") ? path : inside;
}
