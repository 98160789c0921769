// What files changed, in lines that are read aloud: /diff, and what stands below a choice.
import { plural } from "../../base/numbers.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { ChangedFile, Preview, TurnChanges } from "../../front/contract.ts";
import { plainDiff } from "./diff.ts";

/** Nobody listens to more. */
const MOST_LINES = 400;

export function plainChanges(turns: readonly TurnChanges[]): string[] {
  return turns.flatMap((turn) => [
    `Prompt ${turn.number}: ${turn.prompt}${turn.isUndone ? " (taken back)" : ""}`,
    ...turn.files.flatMap((file) => fileLines(file, "")),
    ...turn.others.flatMap((file) => fileLines(file, " by others")),
  ]);
}

export function plainPreview({ text, diff }: Preview): string[] {
  return [...(text === "" ? [] : [text]), ...(diff === undefined ? [] : bounded(plainDiff(diff, true)))];
}

function fileLines({ path, what, diff }: ChangedFile, by: string): string[] {
  const counts = diff.type === "text" ? `, +${diff.lines.added} −${diff.lines.removed}` : "";
  const head = `${visibleLine(path)}: ${what}${by}${counts}.`;
  if (diff.type === "none") return [diff.reason === "" ? head : `${head} ${diff.reason}`];
  return [head, ...(diff.diff === "" ? [] : bounded(plainDiff(diff.diff, true)))];
}

function bounded(lines: readonly string[]): string[] {
  if (lines.length <= MOST_LINES) return [...lines];
  return [...lines.slice(0, MOST_LINES), `and ${plural(lines.length - MOST_LINES, "more line")}`];
}
