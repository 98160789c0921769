// What a decision can see of the disk: symlinks, folders, where a program is installed, and what git says about its
// configuration. It is a port, so that tests of decisions need no files.
import { accessSync, constants, type Dirent, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
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
  /** null if git fails or takes too long. */
  readonly gitPlaces: (folder: string) => GitPlaces | null;
}

/** Where git keeps a repository, as git itself says. */
export interface GitPlaces {
  readonly topLevel: string;
  readonly gitFolder: string;
  /** Shared by all worktrees of a repository. */
  readonly commonFolder: string;
  /** The pointer that the repository of a linked worktree keeps to it. */
  readonly backPointer: string | null;
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
const MAX_GIT_MS = 45;
const MAX_POINTER_BYTES = 8_192;

/** `environment` is what git runs with. Its PATH is where programs are searched. */
export function createDiskView(environment: Readonly<Record<string, string>>): DiskView {
  const folders = (environment["PATH"] ?? "").split(":");
  const findProgram = (name: string) => folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
  const git = (folder: string, args: readonly string[]): string | null => {
    const program = findProgram("git");
    if (program === null) return null;
    // Loaded lazily, because few decisions need it.
    const { spawnSync } = process.getBuiltinModule("node:child_process");
    const { status, stdout } = spawnSync(program, args, {
      cwd: folder,
      env: environment,
      encoding: "utf8",
      timeout: MAX_GIT_MS,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return status === 0 ? stdout : null;
  };
  return {
    ...linksOnDisk,
    listFolder: (path) => attempt(() => listSome(path)),
    kindOf: (path) => attempt(() => kindOf(lstatSync(path))),
    findProgram,
    gitConfiguration: (folder) => git(folder, ["config", "--list", "--show-scope", "--includes", "-z"]),
    gitPlaces: (folder) => {
      const wanted = ["--show-toplevel", "--git-dir", "--git-common-dir"];
      const lines = git(folder, ["rev-parse", "--path-format=absolute", ...wanted])?.split("\n") ?? [];
      const [topLevel = "", gitFolder = "", commonFolder = ""] = lines;
      // Three paths and the last line's end; a line more is in a path.
      if (lines.length !== 4) return null;
      const backPointer = gitFolder === commonFolder ? null : attempt(() => smallText(`${gitFolder}/gitdir`));
      return { topLevel, gitFolder, commonFolder, backPointer };
    },
  };
}

function smallText(path: string): string | null {
  const status = statSync(path);
  return status.isFile() && status.size < MAX_POINTER_BYTES ? readFileSync(path, "utf8") : null;
}

function listSome(path: string): readonly FolderEntry[] {
  // A folder is read as a whole, so its own size has to tell that there is too much in it.
  const stat = statSync(path);
  if (stat.isDirectory() && stat.size > MAX_FOLDER_BYTES) return new Array(MAX_LISTED).fill(UNREAD);
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
