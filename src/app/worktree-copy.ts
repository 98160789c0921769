// Brings what is not committed in one tree into another, by copying bytes: nothing of the first is touched, neither its
// index nor its stash.

import { constants, lstatSync, realpathSync, type Stats } from "node:fs";
import { copyFile, mkdir, readlink, rm, rmdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { failureCode } from "../base/failure-code.ts";
import { isWithin } from "../base/real-path.ts";
import { isOddName } from "./worktree-state.ts";

/** `paths` differ from the commit on which `to` is. Returns those that could not come along. */
export async function copyChanges(
  paths: readonly string[],
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const left: string[] = [];
  const present: (readonly [path: string, facts: Stats])[] = [];
  // What is gone goes first, because a folder may stand where a file was.
  for (const path of paths) {
    const facts = isOddName(path) ? null : factsOf(join(from, path));
    const there = factsOf(join(to, path));
    // A submodule is a folder in both; the folder of a repository of its own is listed with a slash.
    const isRepository =
      facts?.isDirectory() === true && (there?.isDirectory() === true || path.endsWith("/"));
    if (isOddName(path) || isRepository) left.push(path);
    else if (facts === null || facts.isDirectory()) await removeFile(path, to);
    else present.push([path, facts]);
  }
  for (const [path, facts] of present) {
    signal.throwIfAborted();
    const isCopied = (facts.isFile() || facts.isSymbolicLink()) && (await copyOne(path, facts, from, to));
    if (!isCopied) left.push(path);
  }
  return left;
}

/** False if it can't be read, or is gone by now. */
async function copyOne(path: string, facts: Stats, from: string, to: string): Promise<boolean> {
  const target = join(to, path);
  await mkdir(dirname(target), { recursive: true });
  if (!isWithin(realpathSync(dirname(target)), to)) throw new Error(`${path} leads out of the worktree.`);
  await rm(target, { force: true });
  const source = join(from, path);
  try {
    if (facts.isSymbolicLink()) await symlink(await readlink(source), target);
    else await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (["EACCES", "EPERM", "ENOENT"].includes(failureCode(error))) return false;
    throw error;
  }
}

/** And the folders that are empty without it. */
async function removeFile(path: string, root: string): Promise<void> {
  if (factsOf(join(root, path)) === null) return;
  await rm(join(root, path), { force: true });
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    const removed = await rmdir(join(root, folder)).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

/** null if nothing is there, or a file is where a folder would have to be. */
export function factsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
