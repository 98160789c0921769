// Finds the words that differ between two versions of a line. The library is loaded when it is first needed.
import type { Change } from "diff";

/** null: the lines are too long, or the comparison timed out. */
export type WordDiff = (before: string, after: string) => readonly Change[] | null;

/** Longer lines are generated ones, where words say nothing. */
const MAX_CHARACTERS = 500;
const TIMEOUT_MS = 10;

export async function loadWordDiff(): Promise<WordDiff> {
  const { diffWordsWithSpace } = await import("diff");
  return (before, after) => {
    if (before.length > MAX_CHARACTERS || after.length > MAX_CHARACTERS) return null;
    return diffWordsWithSpace(before, after, { timeout: TIMEOUT_MS }) ?? null;
  };
}
