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

interface DiffExtent {
  readonly mostLines: number;
  readonly longestLine: number;
  /** Carriage returns before line breaks are left out, and whether the last line of a new file ends. */
  readonly ignoresLineEnds: boolean;
}

/** What is kept of an edit, and told to the model. */
export const REPORTED: DiffExtent = { mostLines: 200, longestLine: 500, ignoresLineEnds: true };
/** What a person is asked about: every character that would be written, as far as anybody would read. */
export const ASKED_ABOUT: DiffExtent = { mostLines: 1_000, longestLine: 100_000, ignoresLineEnds: false };

/** Has no file headers; "" if nothing but ignored line ends changes. Remarks in brackets say what is left out. */
export async function editDiff(
  body: Buffer,
  splices: readonly Splice[],
  slices: TimeSlices,
  extent = REPORTED,
): Promise<string> {
  const { mostLines } = extent;
  const lines: string[] = [];
  // Every change takes at least two lines of the diff.
  const windows = await toWindows(body, splices.slice(0, mostLines / 2), slices);
  let known = { at: 0, line: 1 };
  let growth = 0;
  let left = splices.length;
  for (const window of windows) {
    if (lines.length >= mostLines) break;
    known = { at: window.start, line: await lineNumberAt(body, window.start, slices, known) };
    await slices.rest();
    let grown = 0;
    for (const hunk of await compareWindow(body, window, slices, extent)) {
      const room = { ...extent, mostLines: Math.max(0, mostLines - lines.length) };
      lines.push(...hunkLines(hunk, known.line, growth, room));
      grown += hunk.newLines - hunk.oldLines;
    }
    growth += grown;
    left -= window.splices.length;
  }
  if (left > 0) lines.push(`[${left} more places]`);
  return lines.join("\n");
}

/** The diff of a new file. */
export function createdDiff(content: string, extent = REPORTED): string {
  if (content === "") return "";
  const lines = addedLines(content, extent);
  const hunk = { oldStart: 1, oldLines: 0, newStart: 1, newLines: lines.filter(isAdded).length };
  return hunkLines({ ...hunk, lines }, 1, 0, extent).join("\n");
}

function addedLines(content: string, { ignoresLineEnds }: DiffExtent): string[] {
  const shown = content.slice(0, MOST_BYTES);
  const lines = shown.split(ignoresLineEnds ? /\r?\n/ : "\n");
  const isEnded = lines.at(-1) === "";
  if (isEnded) lines.pop();
  const left = content.length - shown.length;
  const isTold = !isEnded && !ignoresLineEnds;
  const end = left > 0 ? [`[${left} more characters]`] : isTold ? ["\\ No newline at end of file"] : [];
  return [...lines.map((line) => `+${line}`), ...end];
}

function isAdded(line: string): boolean {
  return line.startsWith("+");
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
  extent: DiffExtent,
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
  const options = { context: CONTEXT_LINES, timeout, stripTrailingCr: extent.ignoresLineEnds };
  const hunks = size > MOST_BYTES ? null : await compareTexts(before, Buffer.concat(after), options);
  if (hunks !== null) return hunks;
  const remark = `[${oldLines} lines became ${newLines}: too different to compare line by line]`;
  // Whoever is asked has to see what would be written.
  const added = extent === ASKED_ABOUT ? addedLines(Buffer.concat(after).toString("utf8"), extent) : [];
  const lines = [remark, ...added];
  return [{ oldStart: 1, newStart: 1, oldLines, newLines, lines }];
}

/** null when comparing takes too long. */
async function compareTexts(
  before: Buffer,
  after: Buffer,
  options: { readonly context: number; readonly timeout: number; readonly stripTrailingCr: boolean },
): Promise<StructuredPatchHunk[] | null> {
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", before.toString("utf8"), after.toString("utf8"), "", "", options);
  return patch?.hunks ?? null;
}

/** `line` is the number of the window's first line, `growth` how many lines earlier windows have added. */
function hunkLines(
  hunk: StructuredPatchHunk,
  line: number,
  growth: number,
  { mostLines, longestLine }: DiffExtent,
): string[] {
  const from = range(line - 1 + hunk.oldStart, hunk.oldLines);
  const to = range(line - 1 + growth + hunk.newStart, hunk.newLines);
  const lines = hunk.lines.slice(0, mostLines).flatMap((text) => {
    const left = text.length - longestLine;
    return left > 0 ? [text.slice(0, longestLine), `[${left} more characters in this line]`] : [text];
  });
  const left = Math.max(0, hunk.lines.length - mostLines);
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
