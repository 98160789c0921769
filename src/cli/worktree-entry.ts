// `--worktree`: goes into a worktree before a session begins, and says or asks what becomes of it at the end.
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { removeWorktree } from "../app/worktree-end.ts";
import { changesToBring, discardUnfinished, enterWorktree, isNewWorktree } from "../app/worktree-making.ts";
import { freeWorktreeName } from "../app/worktree-name.ts";
import {
  checkWorktreeName,
  type Worktree,
  type WorktreeProject,
  worktreeProject,
} from "../app/worktree-place.ts";
import { describeState, hasWork, worktreeState } from "../app/worktree-state.ts";
import { userOf } from "../app/worktree-turns.ts";
import { plural } from "../base/numbers.ts";
import { errorMessage } from "../domain/error.ts";
import type { Console } from "./console.ts";
import type { FlagValues } from "./flags.ts";
import { type ConfiguredPlace, configuredPlace } from "./place.ts";

export interface EntryPorts {
  readonly notify: (text: string) => void;
  readonly signal: AbortSignal;
  /** Whether files that are not committed come along; null where nobody can be asked. */
  readonly askToBring: ((question: string) => Promise<boolean>) | null;
}

export interface WorktreeEntry {
  readonly worktree: Worktree;
  /** Where the session works. */
  readonly cwd: string;
  /** When the session is closed. */
  readonly leave: () => Promise<LeftWorktree>;
}

export interface LeftWorktree {
  readonly worktree: Worktree;
  /** False: nothing was in it that isn't elsewhere, and it is gone. */
  readonly kept: boolean;
  /** What it holds; null if it is gone, or in use by another process. */
  readonly holds: string | null;
  readonly project: WorktreeProject;
}

export async function goIntoWorktree(
  flags: FlagValues,
  console: Console,
  ports: EntryPorts,
): Promise<WorktreeEntry> {
  const { notify, signal } = ports;
  const place = await configuredPlace(console, flags.cwd);
  const project = await projectAt(place, signal);
  await discardUnfinished(project);
  const name = flags.worktree || (await freeWorktreeName(project));
  checkWorktreeName(name);
  const isNew = await isNewWorktree(project, name);
  const bring = isNew ? await brought(project, flags, ports) : [];
  if (isNew) notify(`Making worktree ${name} ...`);
  const { worktree, remarks, release, ...entered } = await enterWorktree(project, name, { bring, signal });
  // Another process had the same idea at the same time.
  if (flags.worktree === "" && !entered.isNew) {
    await release();
    return goIntoWorktree(flags, console, ports);
  }
  notify(`Working in ${worktree.path}, on branch ${worktree.branch}.`);
  if (!entered.isNew && flags["with-changes"] === true)
    notify("The worktree was there already, so nothing was brought along.");
  for (const remark of remarks) notify(remark);
  return {
    worktree,
    cwd: sameFolder(relative(place.root, place.cwd), worktree.path),
    leave: async () => {
      await release();
      try {
        // The session may have changed the repository's configuration, so it is looked at anew.
        return await leaveWorktree(await projectAt(place, NEVER), worktree, notify);
      } catch (error) {
        notify(`Worktree ${name} is kept: ${errorMessage(error)}`);
        return { worktree, project, kept: true, holds: null };
      }
    },
  };
}

const NEVER = new AbortController().signal;

function projectAt({ root, env, loaded }: ConfiguredPlace, signal: AbortSignal): Promise<WorktreeProject> {
  return worktreeProject({ root, env, trusted: loaded.config.trusted, signal });
}

async function brought(
  project: WorktreeProject,
  flags: FlagValues,
  { askToBring, notify }: EntryPorts,
): Promise<readonly string[]> {
  const changes = await changesToBring(project);
  if (changes.length === 0 || flags["with-changes"] === true) return changes;
  const what = `${project.root} has ${plural(changes.length, "uncommitted file")}.`;
  const [they, them] = changes.length === 1 ? ["It stays", "it"] : ["They stay", "them"];
  if ((await askToBring?.(`${what} Copy ${them} into the worktree?`)) === true) return changes;
  if (askToBring === null) notify(`${what} ${they} there; --with-changes copies ${them} into the worktree.`);
  return [];
}

/** The folder of the worktree that is like the one where the command was typed. */
function sameFolder(inside: string, path: string): string {
  const folder = join(path, inside);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? folder : path;
}

async function leaveWorktree(
  project: WorktreeProject,
  worktree: Worktree,
  notify: EntryPorts["notify"],
): Promise<LeftWorktree> {
  const left = { worktree, project };
  const user = await userOf(project, worktree.name);
  if (user !== null) {
    notify(`Process ${user} still works in worktree ${worktree.name}.`);
    return { ...left, kept: true, holds: null };
  }
  const state = await worktreeState(project, worktree);
  if (hasWork(state)) return { ...left, kept: true, holds: describeState(state) };
  await removeWorktree(project, worktree);
  notify(`Worktree ${worktree.name} had no changes and is removed.`);
  return { ...left, kept: false, holds: null };
}

/** What a person can do with it, as commands. */
export function nextSteps({ name, path }: Worktree, holds: string): readonly string[] {
  return [
    `Worktree ${name} has ${holds}: ${path}`,
    `To go on: tunacode -w=${name} -c. To end it: tunacode worktrees diff ${name}, merge ${name} or remove ${name}.`,
  ];
}
