// Resolves the directory a model named, or fails with why it can't be used.
import { access, constants, stat } from "node:fs/promises";
import type { Grant } from "../domain/grant.ts";
import { explainFileError, fileError } from "./file-problem.ts";
import { requireGranted } from "./granted-path.ts";
import type { Workspace } from "./ports.ts";
import { displayPath, resolveInWorkspace } from "./workspace-path.ts";

/** Returns an absolute path. Without `path`, it is the working directory. */
export async function requireDirectory(workspace: Workspace, path: string, grant: Grant): Promise<string> {
  const absolute = resolveInWorkspace(workspace, path);
  if (absolute.includes("\0")) throw fileError("A path can't hold a NUL character.");
  requireGranted(absolute, grant);
  const isDirectory = await isUsableDirectory(absolute).catch(async (error: unknown) => {
    throw await explainFileError(error, absolute, workspace);
  });
  if (isDirectory) return absolute;
  const shown = displayPath(workspace, absolute);
  throw fileError(`${shown} is a file, not a directory. Use read_file to see it, or name its directory.`);
}

/** Checks that the directory can be entered: a process started in it would only report that it can't start. */
async function isUsableDirectory(path: string): Promise<boolean> {
  if (!(await stat(path)).isDirectory()) return false;
  await access(path, constants.X_OK);
  return true;
}
