// Reads the branch of a project from its files: a status bar is not worth a process.
import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

/** null: it is no git repository. A detached HEAD gives the beginning of the commit hash. */
export async function gitBranch(root: string): Promise<string | null> {
  const head = await readFile(join(await gitFolder(root), "HEAD"), "utf8").catch(() => null);
  if (head === null) return null;
  const [, branch] = /^ref: refs\/heads\/(.+)$/m.exec(head) ?? [];
  return branch ?? head.trim().slice(0, 8);
}

/** In a worktree or a submodule, .git is a file that names the folder. */
async function gitFolder(root: string): Promise<string> {
  const dotGit = join(root, ".git");
  const [, place] = /^gitdir: (.+)$/m.exec(await readFile(dotGit, "utf8").catch(() => "")) ?? [];
  if (place === undefined) return dotGit;
  return isAbsolute(place) ? place : join(root, place);
}
