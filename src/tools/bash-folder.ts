// Decides where a command runs, which is the folder it was judged in or nowhere, and where the next one starts.
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { linksOnDisk, realPath } from "../base/real-path.ts";
import { type Grant, UNJUDGED } from "../domain/grant.ts";
import { fileError } from "./file-problem.ts";
import { requireDirectory } from "./granted-path.ts";
import type { Workspace } from "./ports.ts";
import { resolveInWorkspace } from "./workspace-path.ts";

/** The folder to judge. If the working directory no longer exists, it is the project's. */
export function startFolder(workspace: Workspace, cwd: string | undefined): string {
  if (cwd !== undefined) return resolveInWorkspace(workspace, cwd);
  return isFolder(workspace.cwd()) ? workspace.cwd() : workspace.root;
}

/** Returns a real path that is a folder right now. */
export async function findStart(
  workspace: Workspace,
  cwd: string | undefined,
  grant: Grant,
): Promise<{ readonly folder: string; readonly remark: string | null }> {
  const asked = startFolder(workspace, cwd);
  const folder = grant.folder ?? realPath(asked, linksOnDisk) ?? asked;
  await requireDirectory(workspace, folder, UNJUDGED);
  if (realPath(folder, linksOnDisk) !== folder)
    throw fileError(`${asked} leads elsewhere than when this was permitted, so the command was not run.`);
  const kept = workspace.cwd();
  if (cwd !== undefined || folder === realPath(kept, linksOnDisk)) return { folder, remark: null };
  workspace.setCwd(workspace.root);
  return { folder, remark: `[The working directory ${kept} is gone; the command ran in ${folder}.]` };
}

/** Returns a remark if the working directory changed. */
export async function followCwd(workspace: Workspace, file: string): Promise<string | null> {
  // The file is missing if the shell was killed, or replaced itself with another program.
  const path = (await readFile(file, "utf8").catch(() => "")).replace(/\n$/, "");
  if (path === "" || path === workspace.cwd() || !isFolder(path)) return null;
  workspace.setCwd(path);
  return `[The working directory is now ${path}.]`;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
