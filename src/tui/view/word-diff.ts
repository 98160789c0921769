// Which words differ between two versions of a line. The library is loaded when the first diff is to be drawn.

export interface WordChange {
  readonly text: string;
  readonly side: "both" | "old" | "new";
}

export type WordDiff = (before: string, after: string) => readonly WordChange[];

/** Longer lines are generated ones, where words say nothing. */
const MAX_CHARACTERS = 500;
const TIMEOUT_MS = 10;

export async function loadWordDiff(): Promise<WordDiff> {
  const { diffWordsWithSpace } = await import("diff");
  return (before, after) => {
    if (before.length > MAX_CHARACTERS || after.length > MAX_CHARACTERS) return whole(before, after);
    const changes = diffWordsWithSpace(before, after, { timeout: TIMEOUT_MS });
    if (changes === undefined) return whole(before, after);
    return changes.map(({ value, added, removed }) => ({
      text: value,
      side: added ? "new" : removed ? "old" : "both",
    }));
  };
}

function whole(before: string, after: string): WordChange[] {
  return [
    { text: before, side: "old" },
    { text: after, side: "new" },
  ];
}
