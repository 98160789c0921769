// What changed on disk, in words: how many lines and files, and which. Names are written with nothing hidden.
import type { BackConflict, LineCounts, PastTurn } from "../app/undo.ts";
import { formatWhole, plural } from "../base/numbers.ts";
import { visibleLine } from "../base/visible-text.ts";
import type { FileChange } from "../domain/file-change.ts";
import type { ChangedFile } from "./contract.ts";

const MOST_NAMES = 4;

/** "+12 −3, 4 files"; empty if nothing changed. */
export function changesInWords({ changes, lines }: Pick<PastTurn, "changes" | "lines">): string {
  const counts = lines === null ? "" : describeLines(lines);
  return [counts, countFiles(changes)].filter((words) => words !== "").join(", ");
}

/** "+12 −3"; empty if no line changed. */
export function describeLines({ added, removed }: LineCounts): string {
  return added + removed === 0 ? "" : `+${added} −${removed}`;
}

/** Folders count only where no file changed. */
export function countFiles(changes: readonly FileChange[]): string {
  if (changes.length === 0) return "";
  const files = withoutFolders(changes);
  return files.length > 0 ? plural(files.length, "file") : plural(changes.length, "folder");
}

/** By path. */
export function withoutFolders(changes: readonly FileChange[]): readonly FileChange[] {
  return changes
    .filter(({ before, after }) => [before, after].some(({ type }) => isFile(type)))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

export function whatHappened({ before, after }: FileChange): ChangedFile["what"] {
  if (before.type === "absent") return "new";
  return after.type === "absent" ? "deleted" : "changed";
}

/** "4 files put back: a, b, c, d"; a line for those that were removed. */
export function describeRestored(changes: readonly FileChange[]): readonly string[] {
  const groups = Map.groupBy(changes, (change) => whatHappened(change) === "deleted");
  return [
    [groups.get(false) ?? [], "put back"] as const,
    [groups.get(true) ?? [], "removed"] as const,
  ].flatMap(([some, verb]) => (some.length === 0 ? [] : [`${countFiles(some)} ${verb}: ${namesIn(some)}.`]));
}

/** `asksAgain`: what the person types to be asked about them once more. */
export function describeLeft(conflicts: readonly BackConflict[], asksAgain: string): readonly string[] {
  if (conflicts.length === 0) return [];
  const left = `Left as ${conflicts.length === 1 ? "it is" : "they are"}: ${namesIn(conflicts.map(({ change }) => change))}.`;
  const canAsk = conflicts.some(({ canOverwrite }) => canOverwrite);
  return [canAsk ? `${left} To be asked again: ${asksAgain}.` : left];
}

/** The first few files, and how many more; folders only where there are no files. */
export function namesIn(changes: readonly FileChange[]): string {
  const files = withoutFolders(changes);
  const paths = (files.length > 0 ? files : changes).map(({ path }) => path);
  const shown = paths.length === MOST_NAMES + 1 ? paths : paths.slice(0, MOST_NAMES);
  const rest = paths.length - shown.length;
  return shown.map(visibleLine).join(", ") + (rest > 0 ? ` and ${formatWhole(rest)} more` : "");
}

function isFile(type: FileChange["before"]["type"]): boolean {
  return type === "file" || type === "link" || type === "special";
}
