// Explains why an edit failed and what would help: the places of an ambiguous text, the text nearest to a missing one.
import type { TimeSlices } from "../base/time-slices.ts";
import type { Edit, EditPlan } from "./edit-plan.ts";
import { lineNumberAt, lineStartOf, numberedLines } from "./excerpt.ts";
import { WHOLE_FILE_BYTES } from "./file-text.ts";
import { findNearest } from "./nearest-text.ts";

const MOST_PLACES = 5;
const MOST_LINES = 20;

type Ambiguous = Extract<EditPlan, { type: "ambiguous" }>;

export async function explainAmbiguous(
  shown: string,
  body: Buffer,
  plan: Ambiguous,
  slices: TimeSlices,
): Promise<string> {
  const count = `${plan.isAll ? "" : "more than "}${plan.starts.length}`;
  const places: string[] = [];
  let known = { at: 0, line: 1 };
  for (const at of plan.starts.slice(0, MOST_PLACES)) {
    known = { at, line: await lineNumberAt(body, at, slices, known) };
    const start = lineStartOf(body, at);
    // The line before is shown too, because places often differ there.
    const before = start === 0 ? start : lineStartOf(body, start - 1);
    const first = start === 0 ? known.line : known.line - 1;
    places.push(`Line ${known.line}:\n${numberedLines(body, before, first, 3)}`);
  }
  const more = plan.starts.length > MOST_PLACES ? [`And ${plan.starts.length - MOST_PLACES} more.`] : [];
  return [
    `old_text is at ${count} places in ${shown}, so nothing was changed. Add surrounding lines until it is unique, or set replace_all.`,
    ...places,
    ...more,
  ].join("\n");
}

export async function explainMiss(
  shown: string,
  body: Buffer,
  edit: Edit,
  isUnread: boolean,
  slices: TimeSlices,
): Promise<string> {
  if (body.length === 0) return `${shown} is empty. Use write_file to fill it.`;
  const said = `old_text is not in ${shown}, so nothing was changed.`;
  // A model that hasn't seen the file should read it instead of refining a guess.
  if (isUnread)
    return `${said} You have not read the file yet: read it with read_file and copy old_text from it.`;
  if (hasLineNumbers(edit.oldText))
    return `${said} Leave out the line numbers that read_file puts before each line.`;
  if (body.length > WHOLE_FILE_BYTES)
    return `${said} A file of this size is only searched for the exact text: find it with grep and copy it.`;
  const nearest = await findNearest(body, edit.oldText, slices);
  if (nearest === null) return `${said} Nothing in the file is similar: read the file again with read_file.`;
  const count = Math.min(MOST_LINES, nearest.count);
  const lines = numberedLines(body, startOfLine(body, nearest.first), nearest.first, count);
  return `${said} The nearest text is at line ${nearest.first}; copy old_text from it:\n${lines}`;
}

function hasLineNumbers(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 0 && lines.every((line) => /^\s*-?\d+\t/.test(line));
}

function startOfLine(body: Buffer, number: number): number {
  let start = 0;
  for (let line = 1; line < number; line++) start = body.indexOf(10, start) + 1;
  return start;
}
