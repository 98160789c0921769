// Resolves the paths that a model names, and checks that they still lead where they led when they were permitted.
import { access, constants, stat } from "node:fs/promises";
import { linksOnDisk, realPath } from "../base/real-path.ts";
import type { Grant } from "../domain/grant.ts";
import { explainFileError, fileError } from "./file-problem.ts";
import type { Workspace } from "./ports.ts";
import { displayPath, resolveInWorkspace } from "./workspace-path.ts";

/** Returns an absolute path. Throws if a symlink in it has changed since it was judged. */
export function requireGranted(workspace: Workspace, path: string, { realPaths }: Grant): string {
  const absolute = resolveInWorkspace(workspace, path);
  if (absolute.includes("\0")) throw fileError("A path can't hold a NUL character.");
  if (realPaths === undefined) return absolute;
  const judged = realPaths.get(absolute);
  if (judged === undefined) throw fileError(`${absolute} was not part of what was permitted.`);
  if (realPath(absolute, linksOnDisk) !== judged)
    throw fileError(
      `${absolute} led to ${judged} when it was permitted, but no longer does. Nothing was done.`,
    );
  return absolute;
}

/** The same for a directory. It must be accessible, because a process started in it would fail without a reason. */
export async function requireDirectory(workspace: Workspace, path: string, grant: Grant): Promise<string> {
  const absolute = requireGranted(workspace, path, grant);
  try {
    const isDirectory = (await stat(absolute)).isDirectory();
    if (isDirectory) await access(absolute, constants.X_OK);
    if (isDirectory) return absolute;
  } catch (error) {
    throw await explainFileError(error, absolute, workspace);
  }
  const shown = displayPath(workspace, absolute);
  throw fileError(`${shown} is a file, not a directory. Use read_file to see it, or name its directory.`);
}
