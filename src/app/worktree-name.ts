// A short name for a worktree that a person can remember and type.

import { branchOf, readWorktree, type WorktreeProject } from "./worktree-place.ts";
import { commitOf } from "./worktree-state.ts";

const FIRST =
  "amber brisk calm clear deep early fleet gentle keen light lucky merry quiet rapid silver swift".split(" ");
const SECOND =
  "bay brook coral cove crest delta harbor island lagoon reef ripple shore spray tide wave whale".split(" ");

export async function freeWorktreeName(project: WorktreeProject): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const number = attempt < PLAIN_ATTEMPTS ? "" : `-${attempt}`;
    const name = `${anyOf(FIRST)}-${anyOf(SECOND)}${number}`;
    const branch = await commitOf(project.git, project.root, `refs/heads/${branchOf(name)}`);
    if (branch === null && (await readWorktree(project, name)) === null) return name;
  }
}

/** Then a number makes it unlike all others. */
const PLAIN_ATTEMPTS = 20;

function anyOf(words: readonly string[]): string {
  return words[Math.floor(Math.random() * words.length)] ?? "";
}
