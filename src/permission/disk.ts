// What a decision can see of the disk: symlinks, folders, where a program is installed, and what git says about its
// configuration. It is a port, so that tests of decisions need no files.
import { accessSync, constants, type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Links, linksOnDisk, NOT_UTF8 } from "../base/real-path.ts";

export interface DiskView extends Links {
  /** null if it is not a folder or not readable. Where MAX_LISTED or more are listed, it was too large to be read. */
  readonly listFolder: (path: string) => readonly FolderEntry[] | null;
  /** null if nothing is there. A symlink is not followed. */
  readonly kindOf: (path: string) => FolderEntry["kind"] | null;
  /** The file that a bare command name would run, or null. */
  readonly findProgram: (name: string) => string | null;
  /** What `git config --list` prints in this folder, with scopes and NUL; null if git fails or takes too long. */
  readonly gitConfiguration: (folder: string) => string | null;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

export const MAX_LISTED = 5_000;
const MAX_FOLDER_BYTES = 512 * 1024;
/** Stands for an entry of a folder that is too large. */
const UNREAD: FolderEntry = { name: NOT_UTF8, kind: "other" };
/** Git needs 2 ms for it. A file that was made to keep it waiting must not keep the person waiting. */
const MAX_GIT_MS = 90;

/** `environment` is what git runs with. Its PATH is where programs are searched. */
export function createDiskView(environment: Readonly<Record<string, string>>): DiskView {
  const folders = (environment["PATH"] ?? "").split(":");
  const findProgram = (name: string) => folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
  return {
    ...linksOnDisk,
    listFolder: (path) => attempt(() => listSome(path)),
    kindOf: (path) => attempt(() => kindOf(lstatSync(path))),
    findProgram,
    gitConfiguration: (folder) => {
      const git = findProgram("git");
      if (git === null) return null;
      // Loaded lazily, because few decisions need it.
      const { spawnSync } = process.getBuiltinModule("node:child_process");
      const listing = ["config", "--list", "--show-scope", "--includes", "-z"];
      const { status, stdout } = spawnSync(git, listing, {
        cwd: folder,
        env: environment,
        encoding: "utf8",
        timeout: MAX_GIT_MS,
        killSignal: "SIGKILL",
        stdio: ["ignore", "pipe", "ignore"],
      });
      return status === 0 ? stdout : null;
    },
  };
}

function listSome(path: string): readonly FolderEntry[] {
  // A folder is read as a whole, so its own size has to tell that there is too much in it.
  if (statSync(path).size > MAX_FOLDER_BYTES) return new Array(MAX_LISTED).fill(UNREAD);
  return readdirSync(path, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    kind: kindOf(entry),
  }));
}

function kindOf(entry: Pick<Dirent, "isDirectory" | "isFile" | "isSymbolicLink">): FolderEntry["kind"] {
  if (entry.isDirectory()) return "folder";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "other";
}

function isProgram(path: string): boolean {
  const runs = attempt(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  });
  return runs === true;
}

/** A path that can't be read is a normal answer here, not an error. */
function attempt<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch {
    return null;
  }
}
