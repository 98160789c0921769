// What a decision can see of the disk: symlinks, folders, small files, and where a program is installed. It is a port,
// so that tests of decisions need no files.
import { accessSync, constants, type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { type Links, linksOnDisk } from "../base/real-path.ts";

export interface DiskView extends Links {
  /** null if it is not a folder or not readable. */
  readonly listFolder: (path: string) => readonly FolderEntry[] | null;
  /** Decoded as latin1, which keeps every byte. null if it is missing, unreadable or too large. */
  readonly readFile: (path: string) => string | null;
  /** The file that a bare command name would run, or null. It is relative if it comes from a relative entry of PATH. */
  readonly findProgram: (name: string) => string | null;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

/** A git index of 200,000 files is about 20 MB. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export function createDiskView(searchPath: string): DiskView {
  return {
    ...linksOnDisk,
    listFolder: (path) =>
      attempt(() =>
        readdirSync(path, { withFileTypes: true }).map((entry) => ({
          name: entry.name,
          kind: kindOf(entry),
        })),
      ),
    readFile: (path) =>
      attempt(() => {
        const { size } = statSync(path);
        return size > MAX_FILE_BYTES ? null : readFileSync(path, "latin1");
      }),
    findProgram: (name) => search(searchPath, name),
  };
}

function kindOf(entry: Dirent): FolderEntry["kind"] {
  if (entry.isDirectory()) return "folder";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "other";
}

function search(searchPath: string, name: string): string | null {
  for (const folder of searchPath.split(delimiter)) {
    // An empty or relative entry means the working directory, where the model may have put a program.
    if (!isAbsolute(folder)) return join(".", folder, name);
    const path = join(folder, name);
    const runs = attempt(() => {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    });
    if (runs === true) return path;
  }
  return null;
}

/** A path that can't be read is a normal answer here, not an error. */
function attempt<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch {
    return null;
  }
}
