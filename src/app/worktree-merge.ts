// Merges a worktree into the branch of the tree that it was made from. Nothing of that tree may be lost: whatever stands
// in the way is found before git begins, and a merge that fails is taken back.
import { dirname, join } from "node:path";
import { TunacodeError } from "../domain/error.ts";
import type { Git } from "./git.ts";
import { factsOf } from "./worktree-copy.ts";
import { refuseIfUsed } from "./worktree-end.ts";
import type { Worktree, WorktreeProject } from "./worktree-place.ts";
import { commitOf, isOddName, uncommittedIn, unfinishedIn, worktreeState } from "./worktree-state.ts";
import { inTurn } from "./worktree-turns.ts";

/** The branch of the tree that it would be merged into. Throws if that is on none. */
export async function mergeTarget({ git }: WorktreeProject, { from }: Worktree): Promise<string> {
  const { ok, out } = await git.attempt(from, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  if (!ok)
    throw refused(`${from} is on no branch, so there is nothing to merge into. Check one out there first.`);
  return out.trim();
}

/** `mayCommit`: the person agreed that uncommitted work is committed on the worktree's branch. Returns a sentence. */
export function mergeWorktree(
  project: WorktreeProject,
  worktree: Worktree,
  mayCommit: boolean,
): Promise<string> {
  return inTurn(project, worktree.name, async () => {
    const { git } = project;
    const { name, path, from } = worktree;
    await refuseIfUsed(project, worktree);
    const target = await mergeTarget(project, worktree);
    const unfinished = await unfinishedIn(git, from);
    if (unfinished !== null) throw refused(`${from} is in the middle of ${unfinished}. Finish that first.`);
    const state = await worktreeState(project, worktree);
    if (state.unfinished !== null)
      throw refused(`${path} is in the middle of ${state.unfinished}. Finish that first.`);
    const [nested] = state.nested;
    if (nested !== undefined)
      throw refused(
        `${nested} in worktree ${name} is a repository of its own, which git can't commit. Move it first.`,
      );
    if (state.files.length > 0 && !mayCommit)
      throw refused(
        `Worktree ${name} has work that is not committed. Commit it in ${path}, or merge with --yes.`,
      );
    const head = await commitOf(git, path, "HEAD");
    if (head === null) throw refused(`Worktree ${name} has no commit.`);
    await refuseInTheWay(git, from, head, state.files);
    if (state.files.length > 0) await commitAll(git, worktree);
    const tip = (await commitOf(git, path, "HEAD")) ?? head;
    await merge(git, worktree, tip, target);
    return `Worktree ${name} is merged into ${target} in ${from}.`;
  });
}

async function commitAll(git: Git, { name, path }: Worktree): Promise<void> {
  const identity = await git.attempt(path, ["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"]);
  if (!identity.ok)
    throw refused("git doesn't know who commits. Set it first: git config --global user.name and user.email");
  await git.out(path, ["add", "--all", "."]);
  await git.out(path, ["commit", "--quiet", "--no-verify", "-m", `Work in worktree ${name}`]);
}

/** `files` will be committed on `tip`. Also ignored files are in the way: git would overwrite them without a word. */
async function refuseInTheWay(git: Git, from: string, tip: string, files: readonly string[]): Promise<void> {
  const base = await git.attempt(from, ["merge-base", "HEAD", tip]);
  if (!base.ok) throw refused("The two have no commit in common.");
  const listing = await git.out(from, ["diff", "--name-only", "-z", "--no-renames", base.out.trim(), tip]);
  const touched = [...new Set([...listing.split("\0").filter((path) => path !== ""), ...files])];
  const odd = touched.find(isOddName);
  if (odd !== undefined) throw refused(`${odd} has a name that is not UTF-8. Merge with git itself.`);
  const changed = new Set((await uncommittedIn(git, from)).files);
  const tags = await indexTags(git, from);
  const inTheWay = touched.filter((path) => changed.has(path) || !isOrdinary(path, from, tags));
  if (inTheWay.length === 0) return;
  const named = inTheWay.slice(0, MOST_NAMED).join(", ");
  const others = inTheWay.length > MOST_NAMED ? ` and ${inTheWay.length - MOST_NAMED} others` : "";
  throw refused(
    `Nothing is merged: ${named}${others} would be overwritten in ${from}, and what is there is not committed. Commit it or move it away first.`,
  );
}

const MOST_NAMED = 5;

/** Each file in the index, with the letter that says whether git looks at the file itself (H). */
async function indexTags(git: Git, folder: string): Promise<ReadonlyMap<string, string>> {
  const listed = await git.out(folder, ["ls-files", "-v", "-z"]);
  return new Map(listed.split("\0").map((line) => [line.slice(2), line.charAt(0)]));
}

/** Nothing is there, or a file that git has and looks at; and the folders above are folders, or such files. */
function isOrdinary(path: string, root: string, tags: ReadonlyMap<string, string>): boolean {
  const facts = factsOf(join(root, path));
  if (facts?.isDirectory() === true) return false;
  if (facts !== null && tags.get(path) !== "H") return false;
  for (let above = dirname(path); above !== "."; above = dirname(above)) {
    const found = factsOf(join(root, above));
    if (found !== null && !found.isDirectory() && tags.get(above) !== "H") return false;
  }
  return true;
}

async function merge(git: Git, { name, from, branch }: Worktree, tip: string, target: string): Promise<void> {
  const words = ["merge", "--quiet", "--no-edit", "--no-verify", "-m", `Merge worktree ${name}`, tip];
  const failed = (why: string) =>
    refused(`Nothing is merged: ${why}. ${target} is as it was. By hand: cd ${from} && git merge ${branch}`);
  // Tried without a tree first, so that a conflict doesn't even touch it. Git before 2.38 can't do that.
  const trial = await git.attempt(from, [
    ...PLAIN,
    "merge-tree",
    "--write-tree",
    "--name-only",
    "-z",
    "HEAD",
    tip,
  ]);
  if (trial.code === CONFLICT) throw failed(`there are conflicts in ${conflictsOf(trial.out).join(", ")}`);
  const { ok, problem, out } = await git.attempt(from, [...PLAIN, ...words], { unbroken: true });
  if (ok) return;
  if ((await unfinishedIn(git, from)) !== null) await git.out(from, ["merge", "--abort"], { unbroken: true });
  throw failed(problem || out.trim());
}

const CONFLICT = 1;
/** With it, git would write files under names that we have not looked at. */
const PLAIN = ["-c", "merge.directoryRenames=false"];

/** The tree that was written, then the names, then an empty one. */
function conflictsOf(listed: string): readonly string[] {
  const names = listed.split("\0").slice(1);
  return names.slice(0, Math.min(MOST_NAMED, names.indexOf("")));
}

function refused(message: string): TunacodeError {
  return new TunacodeError("usage", message);
}
