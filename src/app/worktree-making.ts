// Makes a worktree, or takes up one that is there. What was begun and not finished, because the program was killed or the
// disk was full, is removed: nobody has worked in it yet.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage, TunacodeError } from "../domain/error.ts";
import { mainTreeOf } from "../session/project.ts";
import { copyChanges } from "./worktree-copy.ts";
import {
  branchOf,
  checkWorktreeName,
  forgetWorktree,
  noteWorktree,
  readWorktree,
  type Worktree,
  type WorktreeProject,
  worktreeNames,
} from "./worktree-place.ts";
import { commitOf, uncommittedIn } from "./worktree-state.ts";
import { inTurn, useWorktree } from "./worktree-turns.ts";

export interface EnteredWorktree {
  readonly worktree: Worktree;
  readonly isNew: boolean;
  /** Sentences for the person. */
  readonly remarks: readonly string[];
  /** This process no longer works in it. */
  readonly release: () => Promise<void>;
}

interface Making {
  readonly signal: AbortSignal;
  /** Files of the tree in which the person is that come along: what is not committed there. */
  readonly bring: readonly string[];
}

export async function enterWorktree(
  project: WorktreeProject,
  name: string,
  making: Making,
): Promise<EnteredWorktree> {
  checkWorktreeName(name);
  return inTurn(project, name, async () => {
    const found = await readWorktree(project, name);
    if (found !== null && !found.isReady) await discard(project, found);
    else if (found !== null && existsSync(found.path)) return reuse(project, found);
    const { worktree, remarks } = await make(project, name, making);
    return { worktree, isNew: true, remarks, release: await useWorktree(project, name) };
  });
}

/** Removes what a killed process began to make, whatever its name was. */
export async function discardUnfinished(project: WorktreeProject): Promise<void> {
  for (const name of worktreeNames(project)) {
    if ((await readWorktree(project, name))?.isReady !== false) continue;
    // Another process may just be making it.
    await inTurn(
      project,
      name,
      async () => {
        const found = await readWorktree(project, name);
        if (found?.isReady === false) await discard(project, found);
      },
      0,
    ).catch(() => {});
  }
}

/** Whether it would be made now. */
export async function isNewWorktree(project: WorktreeProject, name: string): Promise<boolean> {
  const found = await readWorktree(project, name);
  return found === null || !found.isReady || !existsSync(found.path);
}

async function reuse(project: WorktreeProject, worktree: Worktree): Promise<EnteredWorktree> {
  const { name, path } = worktree;
  if (mainTreeOf(path) !== project.mainTree)
    throw refused(
      `${path} is there, but git doesn't know it as a worktree. Move it away or choose another name.`,
    );
  return { worktree, isNew: false, remarks: [], release: await useWorktree(project, name) };
}

async function make(
  project: WorktreeProject,
  name: string,
  { bring, signal }: Making,
): Promise<{ readonly worktree: Worktree; readonly remarks: readonly string[] }> {
  const { git, root, folder } = project;
  const base = await commitOf(git, root, "HEAD");
  if (base === null) throw refused("This repository has no commit yet, and a worktree begins with one.");
  const worktree = { name, path: join(folder, name), branch: branchOf(name), base, from: root };
  const { path, branch } = worktree;
  // A branch stays when somebody removes the folder by hand; git may still know the folder, which -f -f is for.
  const old = await commitOf(git, root, `refs/heads/${branch}`);
  const elsewhere = old === null ? null : await treeOn(project, branch, path);
  if (elsewhere !== null)
    throw refused(`Branch ${branch} is checked out in ${elsewhere}. Choose another name.`);
  try {
    await noteWorktree(project, worktree, false);
    const start = old === null ? ["-b", branch, path, base] : [path, branch];
    await git.out(root, ["worktree", "add", "-f", "-f", "--quiet", ...start]);
    const left = bring.length === 0 ? [] : await copyChanges(bring, root, path, signal);
    await noteWorktree(project, worktree, true);
    const remarks = [
      ...leftBehind(project, path, left),
      ...(old === null ? [] : [`It goes on with branch ${branch}, which was there.`]),
    ];
    return { worktree, remarks };
  } catch (error) {
    await discard(project, worktree, old === null).catch(() => {});
    if (error instanceof TunacodeError) throw error;
    signal.throwIfAborted();
    throw new TunacodeError("internal", `Worktree ${name} can't be made: ${errorMessage(error)}`);
  }
}

/** Nobody has worked in it: it was never handed over. Its branch goes too, if it is where it began. */
async function discard(
  { git, root, ...project }: WorktreeProject,
  { name, path, branch, base }: Worktree,
  isBranchOurs = true,
): Promise<void> {
  // Also when the person has stopped us. Git removes no folder that isn't whole, but forgets one that is gone.
  const forget = () => git.attempt(root, ["worktree", "remove", "--force", "--force", path], UNBROKEN);
  const { ok } = await forget();
  await rm(path, { recursive: true, force: true });
  if (!ok) await forget();
  // Git deletes it only if it is still at that commit.
  if (isBranchOurs) await git.attempt(root, ["update-ref", "-d", `refs/heads/${branch}`, base], UNBROKEN);
  await forgetWorktree({ git, root, ...project }, name);
}

const UNBROKEN = { unbroken: true };

/** Another tree that has this branch checked out, or null. */
async function treeOn(
  { git, root }: WorktreeProject,
  branch: string,
  except: string,
): Promise<string | null> {
  const listed = await git.out(root, ["worktree", "list", "--porcelain"]);
  for (const entry of listed.split("\n\n")) {
    const [, path = except] = /^worktree (.+)$/m.exec(entry) ?? [];
    const isOn = entry.split("\n").includes(`branch refs/heads/${branch}`);
    if (isOn && path !== except && existsSync(path)) return path;
  }
  return null;
}

function leftBehind({ git }: WorktreeProject, path: string, left: readonly string[]): string[] {
  const some = left.slice(0, MOST_NAMED).join(", ");
  return [
    ...(left.length === 0
      ? []
      : [`Not brought along: ${some}${left.length > MOST_NAMED ? " and others" : ""}.`]),
    ...(existsSync(join(path, ".gitmodules"))
      ? ["Submodules are empty in it: git submodule update --init"]
      : []),
    ...(git.filtersOff
      ? [
          "This folder isn't trusted, so its filters did not run: files that need them are as git stores them.",
        ]
      : []),
  ];
}

const MOST_NAMED = 5;

/** What is not committed where the person is. */
export async function changesToBring({ git, root }: WorktreeProject): Promise<readonly string[]> {
  const { files, nested } = await uncommittedIn(git, root);
  return [...files, ...nested];
}

function refused(message: string): TunacodeError {
  return new TunacodeError("usage", message);
}
