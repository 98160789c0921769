// Which words differ between two versions of a line. The library is loaded when the first diff is to be drawn.
import type { Change } from "diff";

/** null: it takes too long to find out. */
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
