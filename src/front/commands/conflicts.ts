// Files that are not as the run left them: the person sees what differs and says what happens to each. Until then, and
// unless they say otherwise, nothing does.
import type { BackConflict, Undo } from "../../app/undo.ts";
import { visibleLine } from "../../base/visible-text.ts";
import type { FileChange } from "../../domain/file-change.ts";
import type { ChoiceItem, Preview } from "../contract.ts";
import { diffPreview } from "../session-changes.ts";
import type { CommandContext } from "./command.ts";

type Choose = CommandContext["choose"];

const GO = "go";
const ALL = "all";
const LEAVE = "leave";
const OVERWRITE = "overwrite";
const IS_KEPT = "/redo brings back what is there now";

const MOST_IN_TITLE = 24;

/** The paths to overwrite. null: the person wants nothing to happen at all. */
export async function chooseOverwritten(
  conflicts: readonly BackConflict[],
  undo: Undo,
  { choose }: Pick<CommandContext, "choose">,
): Promise<readonly string[] | null> {
  const asked = conflicts.filter((conflict) => !isWithinAnother(conflict, conflicts));
  const [first, ...others] = asked;
  if (first === undefined) return [];
  if (others.length > 0) return chooseFromList(asked, undo, choose);
  const answer = await askAbout(first, undo, choose);
  return answer === null ? null : pathsOf(answer === OVERWRITE ? asked : []);
}

/** What is where a folder was is decided on once, for all that was in that folder. */
function isWithinAnother({ change, canOverwrite }: BackConflict, all: readonly BackConflict[]): boolean {
  const isAbove = (other: BackConflict) =>
    other.canOverwrite && change.path.startsWith(`${other.change.path}/`);
  return !canOverwrite && all.some(isAbove);
}

/** A file of the list leads to the question about it, and back. */
async function chooseFromList(
  conflicts: readonly BackConflict[],
  undo: Undo,
  choose: Choose,
): Promise<readonly string[] | null> {
  const overwritten = new Set<BackConflict>();
  const preview = async (value: string) => {
    const conflict = conflicts[Number(value)];
    return conflict === undefined ? { text: "" } : previewConflict(conflict, undo);
  };
  let selected = GO;
  while (true) {
    const title = `${conflicts.length} files are not as the run left them`;
    const chosen = await choose(title, itemsOf(conflicts, overwritten), { selected, preview });
    if (chosen === null) return null;
    if (chosen === GO) return pathsOf([...overwritten]);
    if (chosen === ALL) return pathsOf(conflicts.filter(({ canOverwrite }) => canOverwrite));
    const conflict = conflicts[Number(chosen)];
    if (conflict === undefined) continue;
    selected = chosen;
    const answer = await askAbout(conflict, undo, choose);
    if (answer === OVERWRITE) overwritten.add(conflict);
    else if (answer === LEAVE) overwritten.delete(conflict);
  }
}

function itemsOf(
  conflicts: readonly BackConflict[],
  overwritten: ReadonlySet<BackConflict>,
): readonly ChoiceItem[] {
  const { size } = overwritten;
  const rest = conflicts.length - size;
  const go =
    size === 0
      ? "Go back, and leave them as they are"
      : `Go back, overwrite ${size}${rest > 0 ? ` and leave ${rest}` : ""}`;
  const files = conflicts.map((conflict, index) => ({
    value: String(index),
    label: visibleLine(conflict.change.path),
    detail: overwritten.has(conflict)
      ? "overwrite it"
      : conflict.canOverwrite
        ? "leave it"
        : "stays as it is",
  }));
  const all = { value: ALL, label: "Go back, and overwrite all", detail: IS_KEPT };
  const canOverwriteAny = conflicts.some(({ canOverwrite }) => canOverwrite);
  return [{ value: GO, label: go, detail: "" }, ...files, ...(canOverwriteAny ? [all] : [])];
}

async function askAbout(conflict: BackConflict, undo: Undo, choose: Choose): Promise<string | null> {
  const leave = { value: LEAVE, label: "Leave it as it is", detail: "nothing happens to it" };
  const label = isRemoved(conflict) ? "Remove it" : "Overwrite it";
  const overwrite = { value: OVERWRITE, label, detail: IS_KEPT };
  const about = await previewConflict(conflict, undo);
  const title = `Not as the run left it: ${visibleLine(conflict.change.path)}`;
  return choose(title, conflict.canOverwrite ? [leave, overwrite] : [leave], { about });
}

async function previewConflict(conflict: BackConflict, undo: Undo): Promise<Preview> {
  const { change } = conflict;
  const path = visibleLine(change.path);
  // A list and a title cut it off in a narrow terminal, and people have to know which file it is.
  const why = path.length > MOST_IN_TITLE ? `${path}: ${conflict.why}` : conflict.why;
  const preview = await diffPreview(change, undo);
  if (preview.diff !== undefined) {
    const what = isRemoved(conflict) ? "Going back would remove it:" : "- is there now, + would be put back:";
    return { ...preview, text: `${why} ${what}` };
  }
  if (isRemoved(conflict)) return { text: `${why} Going back would remove it.` };
  return { text: `${why} ${haveOtherBytes(change) ? "" : "Going back: "}${preview.text}`.trimEnd() };
}

/** Otherwise the text says what changes: the mode, or what it is at all. */
function haveOtherBytes({ before, after }: FileChange): boolean {
  return before.type === "file" && after.type === "file" && before.content !== after.content;
}

/** The run had made it. */
function isRemoved({ change }: BackConflict): boolean {
  return change.after.type === "absent";
}

function pathsOf(conflicts: readonly BackConflict[]): readonly string[] {
  return conflicts.map(({ change }) => change.path);
}
