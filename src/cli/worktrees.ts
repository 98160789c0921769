// `tunacode worktrees`: the worktrees that --worktree made for a project: listed, shown, merged, removed.
import { removeWorktree, worktreeDiff } from "../app/worktree-end.ts";
import { discardUnfinished } from "../app/worktree-making.ts";
import { mergeWorktree } from "../app/worktree-merge.ts";
import {
  findWorktree,
  type Worktree,
  type WorktreeProject,
  worktreeNames,
  worktreeProject,
} from "../app/worktree-place.ts";
import { describeState, hasWork, worktreeState } from "../app/worktree-state.ts";
import { userOf } from "../app/worktree-turns.ts";
import { isWithin } from "../base/real-path.ts";
import { TunacodeError, UserAbortError } from "../domain/error.ts";
import { sessionFolder } from "../session/paths.ts";
import { projectIdsOf } from "../session/project.ts";
import { listSessions } from "../session/store.ts";
import type { Console } from "./console.ts";
import type { FlagValues } from "./flags.ts";
import { type Invocation, wantsJson } from "./parse-flags.ts";
import { configuredPlace } from "./place.ts";
import { stoppable } from "./signals.ts";
import { table } from "./table.ts";
import { encodeWorktree, type ListedWorktree } from "./worktree-json.ts";
import { mergeAsked, removeAsked } from "./worktree-offers.ts";

export function runWorktrees(invocation: Invocation, console: Console): Promise<number> {
  return stoppable(
    (controller) => work(invocation, console, controller.signal),
    () => {},
  );
}

async function work({ flags, operands }: Invocation, console: Console, signal: AbortSignal): Promise<number> {
  const [action = "list", name, ...others] = operands;
  if (others.length > 0 || (action === "list" && name !== undefined))
    throw usage("Only one worktree at a time.");
  const { root, env, loaded } = await configuredPlace(console, flags.cwd);
  const project = await worktreeProject({ root, env, trusted: loaded.config.trusted, signal });
  await discardUnfinished(project);
  if (action === "list") return list(project, flags, console);
  if (!["diff", "merge", "remove"].includes(action))
    throw usage(`worktrees can list, diff, merge and remove, but not ${action}.`);
  if (name === undefined) throw usage("Which worktree? Give a NAME from the list of tunacode worktrees.");
  const worktree = await findWorktree(project, name);
  if (action === "diff") await console.print(await worktreeDiff(project, worktree));
  else await end(action, project, worktree, flags, console);
  return 0;
}

/** Asks where it can; without a terminal, --yes is the answer. */
async function end(
  action: string,
  project: WorktreeProject,
  worktree: Worktree,
  flags: FlagValues,
  console: Console,
): Promise<void> {
  const { name } = worktree;
  const state = await worktreeState(project, worktree);
  if (flags.yes !== true && console.isInteractive && hasWork(state)) {
    const questions = (await import("./ask-line.ts")).openQuestions();
    try {
      const offer = { project, worktree, questions, console };
      const isDone =
        action === "merge" ? await mergeAsked(offer) : await removeAsked(offer, describeState(state));
      if (!isDone) throw new UserAbortError(`Worktree ${name} is kept as it is.`);
      return;
    } finally {
      questions.close();
    }
  }
  if (action === "merge") console.tell(await mergeWorktree(project, worktree, flags.yes === true));
  else if (hasWork(state) && flags.yes !== true)
    throw usage(`Worktree ${name} has ${describeState(state)}. To remove it all the same: --yes`);
  await removeWorktree(project, worktree, action === "remove" && flags.yes === true);
  console.tell(`Worktree ${name} and its branch are removed.`);
}

async function list(project: WorktreeProject, flags: FlagValues, console: Console): Promise<number> {
  const sessions = await listSessions(sessionFolder(console.env), { projectIds: projectIdsOf(project.root) });
  const listed: ListedWorktree[] = [];
  for (const name of worktreeNames(project)) {
    const worktree = await findWorktree(project, name).catch(() => null);
    // It is just being made.
    if (worktree === null) continue;
    const session = sessions.find(({ workingDirectory }) => isWithin(workingDirectory, worktree.path));
    const [state, user] = [await worktreeState(project, worktree), await userOf(project, name)];
    listed.push({ worktree, state, user, session });
  }
  if (wantsJson(flags)) await console.print(`${JSON.stringify(listed.map(encodeWorktree), null, 2)}\n`);
  else if (listed.length > 0) await console.print(table(listed.map(row)));
  else console.tell("This project has no worktrees. To work in one: tunacode --worktree");
  return 0;
}

function row({ worktree, state, user, session }: ListedWorktree): string[] {
  const what = `${describeState(state)}${user === null ? "" : `, in use by process ${user}`}`;
  const last =
    session === undefined ? "no session" : `${session.paths.sessionId.slice(0, 8)} ${session.title}`;
  return [worktree.name, worktree.branch, what, last, worktree.path];
}

function usage(message: string): TunacodeError {
  return new TunacodeError("usage", `${message}\nTry: tunacode help worktrees`);
}
