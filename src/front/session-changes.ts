// What a session changed on disk, by turn and file, with diffs that are short enough to be read.
import type { FileDiff, PastTurn, Undo } from "../app/undo.ts";
import { typedText } from "../domain/content.ts";
import { errorMessage } from "../domain/error.ts";
import type { FileChange } from "../domain/file-change.ts";
import { whatHappened, withoutFolders } from "./change-words.ts";
import type { ChangedFile, Preview, TurnChanges } from "./contract.ts";

/** Nobody reads more, or waits longer; the other files are only listed. */
const MOST_DIFFS = 300;
const MOST_LINES = 2_000;
const MOST_MS = 5_000;
const NOT_COMPARED: FileDiff = { type: "none", reason: "" };

export async function sessionChanges(undo: Undo): Promise<readonly TurnChanges[]> {
  const turns: TurnChanges[] = [];
  const deadline = performance.now() + MOST_MS;
  let left = MOST_DIFFS;
  const read = async (changes: readonly FileChange[], isWanted: boolean) => {
    const files: ChangedFile[] = [];
    for (const change of withoutFolders(changes)) {
      const isCompared = isWanted && left-- > 0 && performance.now() < deadline;
      const diff = isCompared ? await readableDiff(change, undo) : NOT_COMPARED;
      files.push({ path: change.path, what: whatHappened(change), diff });
    }
    return files;
  };
  // The newest are compared first: those are the ones that people look at.
  for (const turn of (await undo.turns()).toReversed()) {
    if (turn.changes.length === 0 && turn.others.length === 0) continue;
    const files = await read(turn.changes, !turn.isUndone);
    turns.push({ ...factsOf(turn), files, others: await read(turn.others, true) });
  }
  return turns.reverse();
}

/** For a choice: the diff, or why there is none. */
export async function diffPreview(change: FileChange, undo: Undo): Promise<Preview> {
  const diff = await readableDiff(change, undo);
  return diff.type === "text" ? { text: "", diff: diff.diff } : { text: diff.reason };
}

function factsOf({ number, prompt, at, lines, isUndone }: PastTurn): Omit<TurnChanges, "files" | "others"> {
  return { number, prompt: typedText(prompt), at: Date.parse(at), lines, isUndone };
}

/** A file that can't be compared is listed with the reason. */
export async function readableDiff(change: FileChange, undo: Undo): Promise<FileDiff> {
  try {
    const diff = await undo.diff(change);
    return diff.type === "text" ? { ...diff, diff: cut(diff.diff) } : diff;
  } catch (error) {
    return { type: "none", reason: errorMessage(error) };
  }
}

/** Without the names of the files, which stand above it. */
function cut(diff: string): string {
  const lines = diff
    .slice(Math.max(0, diff.search(/^@@/m)))
    .trimEnd()
    .split("\n");
  const rest = lines.length - MOST_LINES;
  return rest <= 0 ? lines.join("\n") : [...lines.slice(0, MOST_LINES), `[${rest} more lines]`].join("\n");
}
