// What becomes of a worktree that holds work, asked line by line: merge, look, keep or remove. Enter keeps it, and what
// loses work is asked twice.
import { removeWorktree, worktreeDiff } from "../app/worktree-end.ts";
import { mergeTarget, mergeWorktree } from "../app/worktree-merge.ts";
import type { Worktree, WorktreeProject } from "../app/worktree-place.ts";
import { worktreeState } from "../app/worktree-state.ts";
import { plural } from "../base/numbers.ts";
import { errorMessage, TunacodeError } from "../domain/error.ts";
import type { LineQuestions } from "./ask-line.ts";
import type { Console } from "./console.ts";
import { nextSteps } from "./worktree-entry.ts";

interface Offer {
  readonly project: WorktreeProject;
  readonly worktree: Worktree;
  readonly questions: LineQuestions;
  readonly console: Console;
}

export async function offerEnd(offer: Offer, holds: string): Promise<void> {
  const { project, worktree, questions, console } = offer;
  const target = await mergeTarget(project, worktree).catch(() => null);
  const into = target === null ? "merge" : `merge into ${target} in ${worktree.from}`;
  console.tell(`Worktree ${worktree.name} has ${holds}.`);
  for (;;) {
    const answer = await questions.ask(
      `  m  ${into}\n  d  show the diff\n  k  keep it\n  r  remove it\nWhat now? [k]: `,
    );
    try {
      if (/^d/i.test(answer)) await console.print(shortened(await worktreeDiff(project, worktree), worktree));
      else if (/^m/i.test(answer)) {
        if (await mergeAsked(offer)) return;
      } else if (/^r/i.test(answer)) {
        if (await removeAsked(offer, holds)) return;
      } else if (answer === "" || /^k/i.test(answer)) {
        for (const line of nextSteps(worktree, holds)) console.tell(line);
        return;
      }
    } catch (error) {
      if (!(error instanceof TunacodeError) || error.code === "aborted") throw error;
      console.tell(errorMessage(error));
    }
  }
}

/** False if the person changed their mind. */
export async function mergeAsked({ project, worktree, questions, console }: Offer): Promise<boolean> {
  const { files } = await worktreeState(project, worktree);
  const isAgreed =
    files.length === 0 || (await isYes(questions, `Commit ${plural(files.length, "changed file")} first?`));
  if (!isAgreed) return false;
  console.tell(await mergeWorktree(project, worktree, true));
  await removeWorktree(project, worktree);
  console.tell(`Worktree ${worktree.name} and its branch are removed.`);
  return true;
}

export async function removeAsked(
  { project, worktree, questions, console }: Offer,
  holds: string,
): Promise<boolean> {
  const { name } = worktree;
  if (!(await isYes(questions, `Remove worktree ${name} with ${holds}?`))) return false;
  if (!(await isYes(questions, "That can't be undone. Really remove it?"))) return false;
  await removeWorktree(project, worktree, true);
  console.tell(`Worktree ${name} and its branch are removed.`);
  return true;
}

async function isYes(questions: LineQuestions, question: string): Promise<boolean> {
  return /^y/i.test(await questions.ask(`${question} [y/N]: `));
}

const MOST_LINES = 2_000;

function shortened(diff: string, { name }: Worktree): string {
  const lines = diff.split("\n");
  if (lines.length <= MOST_LINES) return diff;
  const rest = `... ${lines.length - MOST_LINES} more lines: tunacode worktrees diff ${name}\n`;
  return `${lines.slice(0, MOST_LINES).join("\n")}\n${rest}`;
}
