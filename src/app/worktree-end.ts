// The end of a worktree: its difference as text, and its removal with its branch. Work that is nowhere else is removed
// only if the person said so.
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TunacodeError } from "../domain/error.ts";
import { forgetWorktree, type Worktree, type WorktreeProject } from "./worktree-place.ts";
import { commitOf, describeState, hasWork, worktreeState } from "./worktree-state.ts";
import { inTurn, userOf } from "./worktree-turns.ts";

/** Throws if that would lose work, unless the person wants that, or if somebody works in it. */
export function removeWorktree(
  project: WorktreeProject,
  worktree: Worktree,
  losesWork = false,
): Promise<void> {
  return inTurn(project, worktree.name, async () => {
    await refuseIfUsed(project, worktree);
    const state = await worktreeState(project, worktree);
    if (hasWork(state) && !losesWork)
      throw new TunacodeError("usage", `Worktree ${worktree.name} has ${describeState(state)}. It is kept.`);
    await remove(project, worktree, { force: losesWork, isKnown: state.isKnown });
  });
}

export async function refuseIfUsed(project: WorktreeProject, { name }: Worktree): Promise<void> {
  const user = await userOf(project, name);
  if (user !== null)
    throw new TunacodeError("usage", `Process ${user} works in worktree ${name}. Close it first.`);
}

async function remove(
  project: WorktreeProject,
  worktree: Worktree,
  { force, isKnown }: { readonly force: boolean; readonly isKnown: boolean },
): Promise<void> {
  const { git } = project;
  const { name, path, branch, from } = worktree;
  // Not from within the folder that goes.
  const place = from === path ? project.mainTree : from;
  const tip = await commitOf(git, place, `refs/heads/${branch}`);
  // Git itself refuses if anything has changed since we looked, or if submodules were made in it.
  if (isKnown) await git.out(place, ["worktree", "remove", ...(force ? ["--force"] : []), path]);
  else await rm(path, { recursive: true, force: true });
  if (tip !== null) await git.out(place, ["update-ref", "-d", `refs/heads/${branch}`, tip]);
  await forgetWorktree(project, name);
}

/** All that it changed since it was begun, committed or not, in the unified format. */
export async function worktreeDiff({ git }: WorktreeProject, worktree: Worktree): Promise<string> {
  const { path, from, base } = worktree;
  const target = await commitOf(git, from, "HEAD");
  const common = target === null ? null : await git.attempt(path, ["merge-base", "HEAD", target]);
  const start = common?.ok === true ? common.out.trim() : base || "HEAD";
  // In a copy of the index, new files can be named without changing what the person has there.
  const folder = await mkdtemp(join(tmpdir(), "tunacode-diff-"));
  try {
    const own = (
      await git.out(path, ["rev-parse", "--path-format=absolute", "--git-path", "index"])
    ).trimEnd();
    const env = { GIT_INDEX_FILE: join(folder, "index") };
    await copyFile(own, env.GIT_INDEX_FILE);
    await git.attempt(path, ["add", "--intent-to-add", "--all", "."], { env });
    const plain = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty"];
    return await git.out(path, ["diff", ...plain, start], { env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
