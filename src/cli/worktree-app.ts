// The terminal app in a worktree: what comes along is asked before the screen opens, and what becomes of it when the
// screen is closed.
import { UserAbortError } from "../domain/error.ts";
import { openQuestions } from "./ask-line.ts";
import type { Console } from "./console.ts";
import { EXIT_DONE } from "./exit-code.ts";
import type { Invocation } from "./parse-flags.ts";
import { goIntoWorktree, type LeftWorktree, nextSteps } from "./worktree-entry.ts";
import { offerEnd } from "./worktree-offers.ts";

export async function inWorktree(
  invocation: Invocation,
  console: Console,
  session: (inside: Invocation) => Promise<number>,
): Promise<number> {
  const { flags } = invocation;
  const entry = await goIntoWorktree(flags, console, {
    notify: (text) => console.tell(`tunacode: ${text}`),
    signal: new AbortController().signal,
    askToBring: async (question) => {
      const questions = openQuestions();
      try {
        return /^y/i.test(await questions.ask(`${question} [y/N]: `));
      } finally {
        questions.close();
      }
    },
  });
  let code: number | null = null;
  try {
    code = await session({ ...invocation, flags: { ...flags, cwd: entry.cwd } });
  } finally {
    const left = await entry.leave();
    if (left.holds !== null) await end(left, left.holds, code === EXIT_DONE, console);
  }
  return code;
}

/** A terminal that is gone, or a failure, is no time for questions. */
async function end(left: LeftWorktree, holds: string, canAsk: boolean, console: Console): Promise<void> {
  const { worktree, project } = left;
  const tellNext = () => {
    for (const line of nextSteps(worktree, holds)) console.tell(line);
  };
  if (!canAsk) return tellNext();
  const questions = openQuestions();
  try {
    await offerEnd({ project, worktree, questions, console }, holds);
  } catch (error) {
    if (!(error instanceof UserAbortError)) throw error;
    // The cursor is still behind the question.
    console.tell("");
    tellNext();
  } finally {
    questions.close();
  }
}
