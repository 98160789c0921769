// Where git keeps a repository, and whether something there would make git read files from elsewhere. Git prints lines
// of files that it can't understand, so a symlink to a secret in place of one of them would show the secret.
import { join } from "node:path";
import { isWithin, realPath } from "../base/real-path.ts";
import type { DiskView, GitPlaces } from "./disk.ts";

/** Git shows nothing of what is in these, or only what it has checked. */
const NOT_SHOWN = new Set("objects refs logs hooks modules lfs annex rr-cache".split(" "));
/** Git's own file system monitor. */
const SOCKET = "fsmonitor--daemon.ipc";

/** Why git may read something from elsewhere, or null. */
export function strangeness(
  places: GitPlaces | null,
  projectFolders: readonly string[],
  disk: DiskView,
): string | null {
  if (places === null) return "git can't tell where this repository is kept";
  const { gitFolder, commonFolder } = places;
  const folders = [...new Set([gitFolder, commonFolder].map((path) => realPath(path, disk) ?? path))];
  const isInside = folders.every((path) => projectFolders.some((folder) => isWithin(path, folder)));
  if (!isInside && !isLinkedWorktree(places)) return "this repository is kept outside the project";
  for (const folder of folders) {
    const odd = oddEntry(folder, disk);
    if (odd !== null) return `git would follow ${odd}, which may lead to a file from elsewhere`;
    for (const name of ["info", "pack", "info/alternates"]) {
      const kind = disk.kindOf(join(folder, "objects", name));
      if (kind !== null && (kind !== "folder" || name === "info/alternates"))
        return "this repository takes its content from another one";
    }
  }
  return null;
}

/** Only whoever made the worktree can have written the pointer in the repository outside. */
function isLinkedWorktree({ topLevel, gitFolder, commonFolder, backPointer }: GitPlaces): boolean {
  return (
    gitFolder.startsWith(`${commonFolder}/worktrees/`) && backPointer?.trimEnd() === join(topLevel, ".git")
  );
}

/** A symlink, a pipe or a device. */
function oddEntry(folder: string, disk: DiskView): string | null {
  for (const { name, kind } of disk.listFolder(folder) ?? []) {
    const path = join(folder, name);
    if (kind === "link" || (kind === "other" && name !== SOCKET)) return path;
    const odd = kind === "folder" && !NOT_SHOWN.has(name) ? oddEntry(path, disk) : null;
    if (odd !== null) return odd;
  }
  return null;
}
