// Which project a folder belongs to: sessions are kept, listed and continued by it.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../base/digest.ts";

const ID_LENGTH = 16;

export function projectIdOf(workingDirectory: string): string {
  return sha256(projectRoot(workingDirectory)).slice(0, ID_LENGTH);
}

/** The real path of the git top level (a worktree has its own), or of the folder itself outside of git. */
export function projectRoot(workingDirectory: string): string {
  const start = realPath(workingDirectory);
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // The folder is gone, but its sessions can still be found.
  }
}
