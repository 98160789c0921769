// The worktrees of a project: where they are, and what is noted about each. They are kept beside our sessions, so that
// none is inside the project.
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, parseJson } from "../base/json.ts";
import { linksOnDisk, realPath } from "../base/real-path.ts";
import { writeWholeFile } from "../base/whole-file.ts";
import type { Environment } from "../base/xdg.ts";
import { TunacodeError } from "../domain/error.ts";
import { mainTreeOf, projectWorktrees } from "../session/project.ts";
import { type Git, openGit } from "./git.ts";

/** A project as its worktrees are made and merged. */
export interface WorktreeProject {
  readonly git: Git;
  /** The tree in which the person is. */
  readonly root: string;
  readonly mainTree: string;
  readonly folder: string;
}

export interface Worktree {
  readonly name: string;
  readonly path: string;
  readonly branch: string;
  /** The commit on which it was begun; "" if that is not known. */
  readonly base: string;
  /** The tree that it was made from, and that it is merged into. */
  readonly from: string;
}

interface WorktreeRequest {
  readonly root: string;
  readonly env: Environment;
  readonly trusted: boolean;
  readonly signal: AbortSignal;
}

export async function worktreeProject(request: WorktreeRequest): Promise<WorktreeProject> {
  const { root, env } = request;
  if (!existsSync(join(root, ".git")))
    throw new TunacodeError(
      "usage",
      `${root} is not a git repository with files, so it can't have worktrees.`,
    );
  const mainTree = mainTreeOf(root);
  const folder = projectWorktrees(env, mainTree);
  return { git: await openGit(request), root, mainTree, folder: realPath(folder, linksOnDisk) ?? folder };
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u;
const LONGEST_NAME = 60;

/** Also a part of a branch's name, and of names beside its folder. */
export function isWorktreeName(text: string): boolean {
  return NAME.test(text) && text.length <= LONGEST_NAME && !/\.\.|\.$|\.(lock|json|lease|users)$/i.test(text);
}

export function checkWorktreeName(name: string): void {
  if (isWorktreeName(name)) return;
  throw new TunacodeError(
    "usage",
    `${JSON.stringify(name)} can't be the name of a worktree: at most ${LONGEST_NAME} letters, digits, dots, dashes and underscores, with a letter or a digit first.`,
  );
}

/** Also of those that are only begun, of which there may be a note and no folder. */
export function worktreeNames({ folder }: WorktreeProject): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).map((name) => name.replace(/\.json$/, ""));
  return [...new Set(names.filter(isWorktreeName))].sort();
}

/** Throws if there is none of this name. */
export async function findWorktree(project: WorktreeProject, name: string): Promise<Worktree> {
  checkWorktreeName(name);
  const found = await readWorktree(project, name);
  if (found?.isReady === true && existsSync(found.path)) return found;
  throw new TunacodeError("usage", `There is no worktree ${name}. The list: tunacode worktrees`);
}

interface NotedWorktree extends Worktree {
  /** False while it is being made. */
  readonly isReady: boolean;
}

/** null if nothing of this name is there. A folder without a note was once made whole. */
export async function readWorktree(project: WorktreeProject, name: string): Promise<NotedWorktree | null> {
  const { folder, mainTree } = project;
  const path = join(folder, name);
  const text = await readFile(notePath(project, name), "utf8").catch(() => null);
  if (text === null && !existsSync(path)) return null;
  const parsed = parseJson(text ?? "");
  const { base, from, ready } = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  return {
    name,
    path,
    branch: branchOf(name),
    base: typeof base === "string" ? base : "",
    from: typeof from === "string" && existsSync(from) ? from : mainTree,
    // Only what says so itself was never handed over: a damaged note must not cost anybody's work.
    isReady: ready !== false,
  };
}

export async function noteWorktree(
  project: WorktreeProject,
  { name, base, from }: Worktree,
  ready: boolean,
): Promise<void> {
  await mkdir(project.folder, { recursive: true, mode: 0o700 });
  await writeWholeFile(notePath(project, name), `${JSON.stringify({ base, from, ready })}\n`, 0o600);
}

/** When the worktree itself is gone. */
export async function forgetWorktree(project: WorktreeProject, name: string): Promise<void> {
  for (const path of [notePath(project, name), join(project.folder, `${name}.users`)])
    await rm(path, { recursive: true, force: true });
  // Others of this project may be there.
  await rmdir(project.folder).catch(() => {});
}

export function branchOf(name: string): string {
  return `tunacode/${name}`;
}

function notePath({ folder }: WorktreeProject, name: string): string {
  return join(folder, `${name}.json`);
}
