// Decides where a command runs, which is the folder it was judged in or nowhere, and where the next one starts.
import { constants, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { linksOnDisk, realPath } from "../base/real-path.ts";
import { type Grant, UNJUDGED } from "../domain/grant.ts";
import { fileError } from "./file-problem.ts";
import { requireDirectory } from "./granted-path.ts";
import type { Workspace } from "./ports.ts";
import { resolveInWorkspace } from "./workspace-path.ts";

const MAX_PATH_BYTES = 16 * 1024;

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
  await requireSameFolder(workspace, folder, asked);
  const kept = workspace.cwd();
  if (cwd !== undefined || folder === realPath(kept, linksOnDisk)) return { folder, remark: null };
  workspace.setCwd(workspace.root);
  return { folder, remark: `[The working directory ${kept} is gone; the command ran in ${folder}.]` };
}

/** A command may have put a link in the place of its own folder. */
export async function requireSameFolder(
  workspace: Workspace,
  folder: string,
  asked: string = folder,
): Promise<void> {
  await requireDirectory(workspace, folder, UNJUDGED);
  if (realPath(folder, linksOnDisk) !== folder)
    throw fileError(`${asked} leads elsewhere than when this was permitted, so the command was not run.`);
}

/** Returns a remark if the working directory changed. */
export async function followCwd(workspace: Workspace, file: string): Promise<string | null> {
  const path = (await readPath(file)).replace(/\n$/, "");
  if (path === "" || path === workspace.cwd() || !isFolder(path)) return null;
  workspace.setCwd(path);
  return `[The working directory is now ${path}.]`;
}

/** Empty if the shell was killed or replaced itself, or if the command put something else in the file's place. */
async function readPath(file: string): Promise<string> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const handle = await open(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch(() => null);
  try {
    const stat = await handle?.stat();
    if (handle === null || stat?.isFile() !== true || stat.size > MAX_PATH_BYTES) return "";
    return await handle.readFile("utf8");
  } finally {
    await handle?.close();
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
