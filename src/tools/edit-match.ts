// Finds where an edit applies: by exact text, then by whole lines (edit-lines.ts). Never guesses between places.
import type { TimeSlices } from "../base/time-slices.ts";
import { planByLines } from "./edit-lines.ts";
import type { Edit, EditPlan, Splice } from "./edit-plan.ts";
import { type LineEnd, lineEndFinder, WHOLE_FILE_BYTES, withLineEnd } from "./file-text.ts";

const MOST_AMBIGUOUS = 100;

/** With `exactOnly`, because the model hasn't seen this file, only identical text matches. */
export async function planEdit(
  body: Buffer,
  edit: Edit,
  exactOnly: boolean,
  slices: TimeSlices,
): Promise<EditPlan> {
  const exact = await planExactly(body, edit, slices);
  if (exact.type !== "miss" || exactOnly || body.length > WHOLE_FILE_BYTES) return exact;
  return planByLines(body, edit, slices);
}

async function planExactly(body: Buffer, edit: Edit, slices: TimeSlices): Promise<EditPlan> {
  const places: { start: number; end: number }[] = [];
  let isAll = true;
  let spellingsFound = 0;
  for (const needle of spellings(edit.oldText)) {
    let found = 0;
    for (let from = 0; ; ) {
      const start = body.indexOf(needle, from);
      if (start === -1) break;
      if (slices.due()) await slices.rest();
      from = start + (edit.replaceAll ? needle.length : 1);
      // The CRLF spelling finds this place too, one byte earlier.
      if (needle[0] === 10 && body[start - 1] === 13) continue;
      places.push({ start, end: start + needle.length });
      if (++found < MOST_AMBIGUOUS || edit.replaceAll) continue;
      isAll = false;
      break;
    }
    if (found > 0) spellingsFound++;
  }
  if (spellingsFound > 1) places.sort((a, b) => a.start - b.start);
  if (places.length === 0) return { type: "miss" };
  if (places.length > 1 && !edit.replaceAll)
    return { type: "ambiguous", starts: places.map(({ start }) => start), isAll };
  const splices: Splice[] = [];
  const lineEndAt = lineEndFinder(body);
  const replacements: Record<LineEnd, Buffer> = {
    "\n": Buffer.from(withLineEnd(edit.newText, "\n")),
    "\r\n": Buffer.from(withLineEnd(edit.newText, "\r\n")),
  };
  for (const { start, end } of places) {
    if (start < (splices.at(-1)?.end ?? 0)) continue;
    if (slices.due()) await slices.rest();
    splices.push({ start, end, text: replacements[lineEndAt(start)] });
  }
  return { type: "splices", match: "exact", splices };
}

/** The text as given and with either line end: a file may mix them, and a model writes plain newlines. */
function spellings(text: string): Buffer[] {
  const distinct = new Set([text, withLineEnd(text, "\n"), withLineEnd(text, "\r\n")]);
  return [...distinct].map((spelling) => Buffer.from(spelling));
}
