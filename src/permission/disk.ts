// What a decision may look at on this machine: links, folders, small files, and where a program lies.
// A port, so that a decision is exact in a test and needs no files.
import { accessSync, constants, readdirSync, readFileSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { type Links, linksOnDisk } from "../base/real-path.ts";

export interface PermissionDisk extends Links {
  /** null: not a folder, or not readable. */
  readonly listFolder: (path: string) => readonly FolderEntry[] | null;
  /** null: missing, unreadable or too large. latin1, so that bytes survive. */
  readonly readFile: (path: string) => string | null;
  /** The file that a bare command name would run; null: none. A relative entry of PATH makes it relative. */
  readonly findProgram: (name: string) => string | null;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

/** A git index of 200,000 files is about 20 MB. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export function createDisk(searchPath: string): PermissionDisk {
  const programs = new Map<string, string | null>();
  return {
    ...linksOnDisk,
    listFolder: (path) =>
      attempt(() =>
        readdirSync(path, { withFileTypes: true }).map((entry) => ({
          name: entry.name,
          kind: entry.isDirectory()
            ? "folder"
            : entry.isFile()
              ? "file"
              : entry.isSymbolicLink()
                ? "link"
                : "other",
        })),
      ),
    readFile: (path) =>
      attempt(() => {
        const { size } = statSync(path);
        return size > MAX_FILE_BYTES ? null : readFileSync(path, "latin1");
      }),
    findProgram: (name) => {
      const known = programs.get(name);
      if (known !== undefined) return known;
      const found = search(searchPath, name);
      programs.set(name, found);
      return found;
    },
  };
}

function search(searchPath: string, name: string): string | null {
  for (const folder of searchPath.split(delimiter)) {
    // An empty or relative entry means the working directory, which the model may have filled.
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

/** A path that can't be looked at is an answer here, not a failure. */
function attempt<Value>(look: () => Value): Value | null {
  try {
    return look();
  } catch {
    return null;
  }
}
