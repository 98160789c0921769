// The directory a model named, or a failure that says why it can't be used.
import { access, constants, stat } from "node:fs/promises";
import type { Grant } from "../domain/grant.ts";
import { explainFileError, fileError } from "./file-problem.ts";
import { requireGranted } from "./granted-place.ts";
import type { Workspace } from "./ports.ts";
import { displayPath, resolveInWorkspace } from "./workspace-path.ts";

/** Absolute. Throws where it leads elsewhere than was permitted. */
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

/** Whether it may be entered is asked here: a process that is started in it would only say that it can't start. */
async function isUsableDirectory(path: string): Promise<boolean> {
  if (!(await stat(path)).isDirectory()) return false;
  await access(path, constants.X_OK);
  return true;
}
