// Further folders that a person makes part of the project, and those that can't be.
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { isWithin, linksOnDisk, realPath } from "../base/real-path.ts";
import type { Environment } from "../base/xdg.ts";
import { personalFolder } from "../config/paths.ts";
import { TunacodeError } from "../domain/error.ts";
import { isObeyed, isSecret } from "../permission/guarded-paths.ts";
import { hasControlCharacter } from "../permission/rules.ts";
import { sessionFolder } from "../session/paths.ts";

interface Surroundings {
  /** The real path of the project. */
  readonly root: string;
  readonly env: Environment;
  /** Where a relative path begins. */
  readonly cwd: string;
}

/** Folders of the kernel, in which writing has other effects than files. */
const NO_FILES = ["/proc", "/sys", "/dev"];

/** The real path of the folder. Throws a usage error that says why it can't be part of the project. */
export function addedFolder(written: string, { root, env, cwd }: Surroundings): string {
  const home = real(env["HOME"] || homedir());
  const path = /^~(\/|$)/.test(written) ? home + written.slice(1) : resolve(cwd, written);
  const refuse = (why: string) => new TunacodeError("usage", `${written} can't be added: ${why}.`);
  if (hasControlCharacter(path)) throw refuse("its name contains control characters");
  const folder = real(path);
  if (!isFolder(folder)) throw refuse("it is not a folder");
  if (isWithin(folder, root)) throw refuse("it is part of the project already");
  if (isWithin(root, folder)) throw refuse("it contains the project");
  if (isWithin(home, folder)) throw refuse("it contains your home folder");
  const own = [personalFolder(env), dirname(sessionFolder(env))].map(real);
  if (own.some((each) => isWithin(each, folder) || isWithin(folder, each)))
    throw refuse("tunacode keeps its own files there");
  if (NO_FILES.some((each) => isWithin(folder, each))) throw refuse("it belongs to the system");
  if (isSecret(folder, home)) throw refuse("secrets are kept there");
  if (isObeyed(folder, home)) throw refuse("it is configuration that other programs obey");
  return folder;
}

function real(path: string): string {
  return realPath(path, linksOnDisk) ?? path;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // It isn't there, or nobody may look at it.
  }
}
