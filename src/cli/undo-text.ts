// What `tunacode undo` prints for people: the prompts of a session with what each changed, and what going back did.
import type { BackConflict, BackPlan, BackRequest, FileDiff, PastTurn, Undo } from "../app/undo.ts";
import { plural } from "../base/numbers.ts";
import { exactLine, visibleLine } from "../base/visible-text.ts";
import { contentText } from "../domain/content.ts";
import type { FileChange } from "../domain/file-change.ts";
import { describeLines } from "../front/change-words.ts";
import { table } from "./table.ts";

export interface ShownConflict extends BackConflict {
  readonly diff: FileDiff;
}

export type Shown = Done | { readonly type: "nothing"; readonly why: string };

export interface Done extends Omit<BackPlan, "conflicts"> {
  readonly type: "done";
  readonly conflicts: readonly ShownConflict[];
  readonly request: BackRequest;
  readonly isDryRun: boolean;
  /** As the person named it; absent for the newest. */
  readonly session?: string;
  /** Absent in a dry run. */
  readonly restoreId?: string;
}

export type UncoveredFiles = Awaited<ReturnType<Undo["uncovered"]>>;

const MOST_CHARACTERS = 60;
const VERB_WIDTH = "brought back".length;

export function turnsText(turns: readonly PastTurn[]): string {
  return table(
    turns.map(({ number, at, changes, lines, isUndone, others, prompt }) => [
      String(number).padStart(3),
      at.slice(0, 16).replace("T", " "),
      changes.length === 0 ? "" : plural(changes.length, "file"),
      lines === null ? "" : describeLines(lines),
      [...(isUndone ? ["taken back"] : []), ...othersText(others)].join(", "),
      firstLine(contentText(prompt)),
    ]),
  );
}

/** What somebody else changed meanwhile stays as it is. */
function othersText(others: readonly FileChange[]): readonly string[] {
  const count = new Set(others.map(({ path }) => path)).size;
  return count === 0 ? [] : [`${count} by others`];
}

function firstLine(text: string): string {
  const line = visibleLine(text.trim().split("\n")[0] ?? "");
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line;
}

export function uncoveredText(uncovered: UncoveredFiles): string {
  return table(uncovered.map(({ path, why }) => [why, exactLine(path)]));
}

export function backText(done: Done): string {
  const { changes, conflicts, prompt, remarks, request, isDryRun } = done;
  const lines = changes.map((change) => `${verbFor(change).padEnd(VERB_WIDTH)} ${exactLine(change.path)}`);
  const isRedo = request.target.type === "redo";
  if (prompt !== null && request.scope === "both" && !isRedo)
    lines.push(
      `The conversation ${isDryRun ? "would be" : "is"} as before the prompt: ${firstLine(contentText(prompt))}`,
    );
  if (isRedo && request.scope === "both")
    lines.push(`The conversation ${isDryRun ? "would be" : "is"} as it was before the last undo.`);
  for (const conflict of conflicts) lines.push(...conflictLines(conflict));
  lines.push(...remarks, ...whatToDo(done));
  if (isDryRun) lines.push("Nothing was changed: this was a dry run.");
  return `${lines.join("\n")}\n`;
}

function verbFor({ before, after }: FileChange): string {
  if (after.type === "absent") return "removed";
  return before.type === "absent" ? "brought back" : "restored";
}

function conflictLines({ change, why, diff }: ShownConflict): readonly string[] {
  const shown = diff.type === "text" ? diff.diff.trimEnd().split("\n").map(visibleLine) : [diff.reason];
  return [
    `${"conflict".padEnd(VERB_WIDTH)} ${exactLine(change.path)}`,
    `    ${why}`,
    ...shown.map((line) => `    ${line}`),
  ];
}

/** A turn that was taken back in part has to be brought back before it can be taken back as a whole. */
function whatToDo({ conflicts, isDryRun, request, session }: Done): readonly string[] {
  const paths = conflicts.filter(({ canOverwrite }) => canOverwrite).map(({ change }) => quoted(change.path));
  if (conflicts.length === 0) return [];
  const stays = conflicts.length === 1 ? "The conflict stays as it is." : "The conflicts stay as they are.";
  if (paths.length === 0) return [stays];
  const command = session === undefined ? "tunacode undo" : `tunacode undo ${quoted(session)}`;
  const { type } = request.target;
  const again = [
    command,
    ...(type === "redo" ? ["--redo"] : type === "prompt" ? [`--to ${request.target.number}`] : []),
    ...(request.scope === "files" ? ["--files-only"] : []),
    ...paths.map((path) => `--overwrite ${path}`),
  ].join(" ");
  if (isDryRun) return [`${stays} To overwrite what is there now: ${again}`];
  // How far back that was is in the list.
  if (type === "redo") return [`${stays} To overwrite what is there now, go back once more, then: ${again}`];
  return [`${stays} To overwrite what is there now: ${command} --redo && ${again}`];
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
