// Reads the branch of a project from its files: a status bar is not worth a process.
import { isAbsolute, join } from "node:path";
import { readPlainFile } from "../base/plain-file.ts";

/** null: it is no git repository. A detached HEAD gives the beginning of the commit hash. */
export async function gitBranch(root: string): Promise<string | null> {
  const head = await readSmall(join(await gitFolder(root), "HEAD"));
  if (head === null) return null;
  const [, branch] = /^ref: refs\/heads\/(.+)$/m.exec(head) ?? [];
  return branch?.slice(0, LONGEST_NAME) ?? head.trim().slice(0, 8);
}

/** In a worktree or a submodule, .git is a file that names the folder. */
async function gitFolder(root: string): Promise<string> {
  const dotGit = join(root, ".git");
  const [, place] = /^gitdir: (.+)$/m.exec((await readSmall(dotGit)) ?? "") ?? [];
  if (place === undefined) return dotGit;
  return isAbsolute(place) ? place : join(root, place);
}

const LONGEST_NAME = 250;
const MOST_BYTES = 10_000;

async function readSmall(path: string): Promise<string | null> {
  const file = await readPlainFile(path, { mostBytes: MOST_BYTES });
  return file.type === "read" ? file.bytes.toString("utf8") : null;
}
