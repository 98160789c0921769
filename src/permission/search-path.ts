// Where the programs of commands that run unasked are found: the PATH of our start, without the entries in which the
// model or somebody else may have put a program.
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute } from "node:path";
import { isWithin, linksOnDisk, realPath } from "../base/real-path.ts";
import { SYSTEM_PATH } from "../base/system-path.ts";

/** Version managers keep programs here that start another one, which the project's files choose. */
const CHOSEN_BY_PROJECT = /\/shims$/;

/** `folders` are those of the project. */
export function trustedSearchPath(path: string, folders: readonly string[]): string {
  const foreign = [...folders, tmpdir(), "/tmp", "/var/tmp", "/dev/shm"].map(
    (folder) => realPath(folder, linksOnDisk) ?? folder,
  );
  const isTrusted = (entry: string) => {
    // An empty or relative entry means the working directory.
    if (!isAbsolute(entry) || CHOSEN_BY_PROJECT.test(entry)) return false;
    const real = realPath(entry, linksOnDisk);
    if (real === null || foreign.some((folder) => isWithin(real, folder))) return false;
    return !isWritableByAll(real);
  };
  // A shell takes an empty PATH for the working directory.
  return path.split(":").filter(isTrusted).join(":") || SYSTEM_PATH;
}

function isWritableByAll(folder: string): boolean {
  try {
    return (statSync(folder).mode & 0o002) !== 0;
  } catch {
    // What isn't there may be made by anybody later.
    return true;
  }
}
