// The unified diff of an edit, with the lines around it, bounded in time and length.
import type { StructuredPatchHunk } from "diff";
import type { TimeSlices } from "../base/time-slices.ts";
import { applySplices, type Splice } from "./edit-plan.ts";
import { lineEndOf, lineNumberAt, lineStartOf } from "./excerpt.ts";

const CONTEXT_LINES = 3;
/** The library can't be interrupted; with splitting into lines included, this stays under 30 ms. */
const TIMEOUT_MS = 12;
/** So few are compared in a moment. If that takes long, the machine is busy, which is no reason to give up. */
const ALWAYS_COMPARED_LINES = 300;
/** Longer text takes too long to split into lines, and its diff would be cut anyway. */
const MOST_BYTES = 1_500_000;
const MOST_LINES = 200;
const LONGEST_LINE = 500;
/** Every change takes at least two lines of the diff. */
const MOST_SPLICES = MOST_LINES / 2;

/** Has no file headers; "" if only line ends change. Remarks in brackets say what is left out. */
export async function editDiff(
  body: Buffer,
  splices: readonly Splice[],
  slices: TimeSlices,
): Promise<string> {
  const lines: string[] = [];
  const windows = await toWindows(body, splices.slice(0, MOST_SPLICES), slices);
  let known = { at: 0, line: 1 };
  let growth = 0;
  let left = splices.length;
  for (const window of windows) {
    if (lines.length >= MOST_LINES) break;
    known = { at: window.start, line: await lineNumberAt(body, window.start, slices, known) };
    await slices.rest();
    let grown = 0;
    for (const hunk of await compareWindow(body, window, slices)) {
      lines.push(...hunkLines(hunk, known.line, growth, Math.max(0, MOST_LINES - lines.length)));
      grown += hunk.newLines - hunk.oldLines;
    }
    growth += grown;
    left -= window.splices.length;
  }
  if (left > 0) lines.push(`[${left} more places]`);
  return lines.join("\n");
}

/** The diff of a new file. */
export function createdDiff(content: string): string {
  if (content === "") return "";
  const lines = content
    .slice(0, MOST_BYTES)
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
  const hunk = { oldStart: 1, oldLines: 0, newStart: 1, newLines: lines.length };
  return hunkLines({ ...hunk, lines: lines.map((line) => `+${line}`) }, 1, 0, MOST_LINES).join("\n");
}

/** The diff as the model reads it. */
export function diffReport(shown: string, diff: string): string {
  return diff === "" ? "[Only line ends changed.]" : `--- ${shown}\n+++ ${shown}\n${diff}`;
}

/** A range of whole lines that contains the splices and the lines of context around them. */
interface Window {
  readonly start: number;
  readonly end: number;
  readonly splices: readonly Splice[];
}

async function toWindows(body: Buffer, splices: readonly Splice[], slices: TimeSlices): Promise<Window[]> {
  const windows: Window[] = [];
  for (const splice of splices) {
    if (slices.due()) await slices.rest();
    let start = lineStartOf(body, splice.start);
    let end = Math.min(body.length, lineEndOf(body, splice.end) + 1);
    for (let line = 0; line < CONTEXT_LINES && start > 0; line++) start = lineStartOf(body, start - 1);
    for (let line = 0; line < CONTEXT_LINES && end < body.length; line++)
      end = Math.min(body.length, lineEndOf(body, end) + 1);
    const last = windows.at(-1);
    if (last === undefined || start > last.end) windows.push({ start, end, splices: [splice] });
    else windows[windows.length - 1] = { start: last.start, end, splices: [...last.splices, splice] };
  }
  return windows;
}

async function compareWindow(
  body: Buffer,
  { start, end, splices }: Window,
  slices: TimeSlices,
): Promise<StructuredPatchHunk[]> {
  const before = body.subarray(start, end);
  const moved = splices.map((splice) => ({
    start: splice.start - start,
    end: splice.end - start,
    text: splice.text,
  }));
  const after = await applySplices(before, moved, slices);
  const size = after.reduce((sum, piece) => sum + piece.length, before.length);
  const oldLines = await countLines([before], slices);
  const newLines = await countLines(after, slices);
  const timeout = oldLines + newLines <= ALWAYS_COMPARED_LINES ? Number.POSITIVE_INFINITY : TIMEOUT_MS;
  const hunks = size > MOST_BYTES ? null : await compareTexts(before, Buffer.concat(after), timeout);
  if (hunks !== null) return hunks;
  const lines = [`[${oldLines} lines became ${newLines}: too different to compare line by line]`];
  return [{ oldStart: 1, newStart: 1, oldLines, newLines, lines }];
}

/** null when comparing takes too long. */
async function compareTexts(
  before: Buffer,
  after: Buffer,
  timeout: number,
): Promise<StructuredPatchHunk[] | null> {
  const { structuredPatch } = await import("diff");
  const options = { context: CONTEXT_LINES, timeout, stripTrailingCr: true };
  const patch = structuredPatch("", "", before.toString("utf8"), after.toString("utf8"), "", "", options);
  return patch?.hunks ?? null;
}

/** `line` is the number of the window's first line, `growth` how many lines earlier windows have added. */
function hunkLines(hunk: StructuredPatchHunk, line: number, growth: number, room: number): string[] {
  const from = range(line - 1 + hunk.oldStart, hunk.oldLines);
  const to = range(line - 1 + growth + hunk.newStart, hunk.newLines);
  const lines = hunk.lines.slice(0, room).map((text) => text.slice(0, LONGEST_LINE));
  const left = hunk.lines.length - lines.length;
  return [`@@ -${from} +${to} @@`, ...lines, ...(left > 0 ? [`[${left} more lines]`] : [])];
}

/** By convention, an empty range has the number of the line before it. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

async function countLines(pieces: readonly Buffer[], slices: TimeSlices): Promise<number> {
  let lines = 0;
  let last: number | undefined;
  for (const piece of pieces) {
    lines += (await lineNumberAt(piece, piece.length, slices)) - 1;
    last = piece.at(-1) ?? last;
  }
  return last === undefined || last === 10 ? lines : lines + 1;
}
