// What is in a worktree that is nowhere else: files that are not committed, and commits that no other branch has.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { NOT_UTF8 } from "../base/real-path.ts";
import { mainTreeOf } from "../session/project.ts";
import type { Git } from "./git.ts";
import type { Worktree, WorktreeProject } from "./worktree-place.ts";

export interface WorktreeState {
  /** Files that differ from the last commit, or that it doesn't have. */
  readonly files: readonly string[];
  /** Repositories of their own in it, which git can't commit. */
  readonly nested: readonly string[];
  readonly commits: number;
  /** "a merge", if one was begun and not ended; null otherwise. */
  readonly unfinished: string | null;
  /** False if git has forgotten it, so that nobody can tell what is in it. */
  readonly isKnown: boolean;
}

export async function worktreeState(
  { git, mainTree }: WorktreeProject,
  { path, branch, base, from }: Worktree,
): Promise<WorktreeState> {
  if (mainTreeOf(path) !== mainTree)
    return { files: [], nested: [], commits: 0, unfinished: null, isKnown: false };
  const changed = await uncommittedIn(git, path);
  const commitsOf = async (folder: string, names: readonly string[]) =>
    (await Promise.all(names.map((name) => commitOf(git, folder, name)))).filter((tip) => tip !== null);
  const tips = await commitsOf(path, ["HEAD", `refs/heads/${branch}`]);
  const known = [...(await commitsOf(from, ["HEAD"])), ...(await commitsOf(path, base === "" ? [] : [base]))];
  const others = [`--exclude=${branch}`, "--branches", "--remotes", ...known];
  const commits =
    tips.length === 0 ? 0 : Number(await git.out(path, ["rev-list", "--count", ...tips, "--not", ...others]));
  return { ...changed, commits, unfinished: await unfinishedIn(git, path), isKnown: true };
}

export function hasWork({ files, nested, commits, unfinished, isKnown }: WorktreeState): boolean {
  return files.length + nested.length + commits > 0 || unfinished !== null || !isKnown;
}

export function describeState({ files, nested, commits, unfinished, isKnown }: WorktreeState): string {
  if (!isKnown) return "files, but git no longer knows it";
  const parts = [
    ...counted(files.length, "uncommitted file"),
    ...counted(nested.length, "repository of its own", "repositories of their own"),
    ...counted(commits, "commit that no other branch has", "commits that no other branch has"),
    ...(unfinished === null ? [] : [`${unfinished} that is not finished`]),
  ];
  return parts.join(", ") || "no changes";
}

function counted(count: number, one: string, many = `${one}s`): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}

/** null if there is no such commit. */
export async function commitOf(git: Git, folder: string, name: string): Promise<string | null> {
  const { ok, out } = await git.attempt(folder, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
  return ok ? out.trim() : null;
}

/**
 * Everything that differs from the last commit and is not ignored. Submodules count by their commit alone: to look into
 * one is to run a git of its own.
 */
export async function uncommittedIn(
  git: Git,
  folder: string,
): Promise<Pick<WorktreeState, "files" | "nested">> {
  const look = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"];
  const listed = await git.out(folder, [...look, "--ignore-submodules=dirty"]);
  const paths = listed.split("\0").flatMap((line) => (line === "" ? [] : [line.slice(STATUS_LENGTH)]));
  // Git lists the folder of a repository that it doesn't know, and each file of any other folder.
  const nested = paths.filter((path) => path.endsWith("/"));
  return { files: [...new Set(paths.filter((path) => !path.endsWith("/")))], nested };
}

const STATUS_LENGTH = "?? ".length;

/** A name that is not UTF-8 can't be given back to git or to the disk. */
export function isOddName(path: string): boolean {
  return path.includes(NOT_UTF8);
}

const UNFINISHED: readonly (readonly [mark: string, what: string])[] = [
  ["MERGE_HEAD", "a merge"],
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["BISECT_LOG", "a bisection"],
];

export async function unfinishedIn(git: Git, folder: string): Promise<string | null> {
  const own = (await git.out(folder, ["rev-parse", "--path-format=absolute", "--git-dir"])).trimEnd();
  return UNFINISHED.find(([mark]) => existsSync(join(own, mark)))?.[1] ?? null;
}
