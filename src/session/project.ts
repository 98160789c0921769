// Which project a folder belongs to: sessions are kept, listed and continued by it. The worktrees of a repository are
// one project. Git's own files say so, and both sides have to: a folder can't claim to be part of another project.

import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { sha256 } from "../base/digest.ts";
import { folderNames } from "../base/folder-names.ts";
import { isWithin } from "../base/real-path.ts";
import type { Environment } from "../base/xdg.ts";
import { worktreesFolder } from "./paths.ts";

const ID_LENGTH = 16;

export function projectIdOf(workingDirectory: string): string {
  return idOf(mainTreeOf(projectRoot(workingDirectory)));
}

/** All under which sessions of this project may be: each worktree once had an id of its own. */
export function projectIdsOf(workingDirectory: string): readonly string[] {
  const main = mainTreeOf(projectRoot(workingDirectory));
  return [...new Set([main, ...worktreesOf(main)].map(idOf))];
}

/** The real path of the git top level (a worktree has its own), or of the folder itself outside of git. */
export function projectRoot(workingDirectory: string): string {
  const start = realPathOr(workingDirectory);
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return start;
  }
}

/** Of a linked worktree, the main tree, or the repository itself if that is bare. Of anything else, `root`. */
export function mainTreeOf(root: string): string {
  const gitFolder = linkedGitFolder(root);
  const common = gitFolder === null ? null : commonFolder(gitFolder);
  // What git keeps about the worktree has to name this very folder.
  const named = gitFolder === null ? null : firstLine(join(gitFolder, "gitdir"));
  if (gitFolder === null || common === null || named === null) return root;
  if (realPath(resolve(gitFolder, named, "..")) !== root || basename(named) !== ".git") return root;
  if (basename(common) === ".git") return dirname(common);
  const module = submoduleTree(common);
  if (module === null) return common;
  return linkedGitFolder(module) === common ? module : root;
}

/** The main tree of a worktree that this program made: what the person decided there holds here too. */
export function madeFrom(env: Environment, root: string): string | undefined {
  const main = mainTreeOf(root);
  const made = realPath(projectWorktrees(env, main));
  return main !== root && made !== null && isWithin(root, made) ? main : undefined;
}

/** Where the worktrees of a project are, by its main tree. */
export function projectWorktrees(env: Environment, mainTree: string): string {
  return join(worktreesFolder(env), idOf(mainTree));
}

function idOf(root: string): string {
  return sha256(root).slice(0, ID_LENGTH);
}

function worktreesOf(main: string): string[] {
  const common = linkedGitFolder(main) ?? (existsSync(join(main, ".git")) ? join(main, ".git") : main);
  const roots = folderNames(join(common, "worktrees")).flatMap((name) => {
    const named = firstLine(join(common, "worktrees", name, "gitdir"));
    return named === null ? [] : (realPath(resolve(common, "worktrees", name, named, "..")) ?? []);
  });
  return roots.filter((root) => mainTreeOf(root) === main);
}

/** The folder that a `.git` file names. */
function linkedGitFolder(root: string): string | null {
  const [, named] = /^gitdir: (.+)$/.exec(firstLine(join(root, ".git")) ?? "") ?? [];
  return named === undefined ? null : realPath(resolve(root, named));
}

function commonFolder(gitFolder: string): string | null {
  const named = firstLine(join(gitFolder, "commondir"));
  const common = named === null ? null : realPath(resolve(gitFolder, named));
  return common !== null && dirname(gitFolder) === join(common, "worktrees") ? common : null;
}

/** A submodule's repository is kept in another one, and says where its files are. */
function submoduleTree(common: string): string | null {
  const [, named] = /^\s*worktree = ([^"\n]+)$/m.exec(smallText(join(common, "config")) ?? "") ?? [];
  return named === undefined ? null : realPath(resolve(common, named));
}

function firstLine(path: string): string | null {
  return smallText(path)?.split("\n")[0] ?? null;
}

const MOST_BYTES = 8_192;

/** null if it isn't a plain file. Anybody may have put it there, so it is opened without waiting. */
function smallText(path: string): string | null {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    if (!fstatSync(file).isFile()) return null;
    const bytes = Buffer.alloc(MOST_BYTES);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, MOST_BYTES, 0));
  } catch {
    return null; // Most folders have no such file.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** null if nothing is there. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Of a folder that is gone, the sessions can still be found. */
function realPathOr(path: string): string {
  return realPath(path) ?? path;
}
