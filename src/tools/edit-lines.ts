// Finds an edit's text by whole lines when there is no exact match: first ignoring trailing spaces, then indentation.
// Lines that the edit doesn't change keep their bytes; new lines are indented like the file's.
import type { TimeSlices } from "../base/time-slices.ts";
import { explainIndentation, type Reindent } from "./edit-indent.ts";
import type { Edit, EditPlan, Splice } from "./edit-plan.ts";
import { lineEndFinder } from "./file-text.ts";
import { type IndentStyle, indentStyle, isBlankLine, trimmed } from "./indent-style.ts";

/** One character per byte, so that every byte survives decoding and encoding. */
const BYTES = "latin1";
const DIFF_TIMEOUT_MS = 15;

interface Candidate {
  /** Index of the first line. */
  readonly at: number;
  readonly rank: number;
  readonly reindent: Reindent;
}

export async function planByLines(body: Buffer, edit: Edit, slices: TimeSlices): Promise<EditPlan> {
  const wanted = wantedLines(edit);
  if (wanted === null) return { type: "miss" };
  await slices.rest();
  const lines = body.toString(BYTES).split("\n");
  await slices.rest();
  const candidates = await findCandidates(lines, wanted, slices);
  const rank = candidates.reduce((best, each) => Math.min(best, each.rank), Number.POSITIVE_INFINITY);
  const equals = candidates.filter((candidate) => candidate.rank === rank);
  if (equals.length === 0) return { type: "miss" };
  if (equals.length > 1 && !edit.replaceAll)
    return { type: "ambiguous", starts: lineStarts(lines, equals), isAll: true };
  const best = withoutOverlaps(equals, wanted.old.length);
  const starts = lineStarts(lines, best);
  const changes = await alignLines(wanted);
  const splices: Splice[] = [];
  for (const [index, candidate] of best.entries()) {
    if (slices.due()) await slices.rest();
    splices.push(toSplice({ body, lines, wanted, changes, candidate, start: starts[index] ?? 0 }));
  }
  return { type: "splices", match: rank === 0 ? "line-trimmed" : "indentation", splices };
}

interface WantedLines {
  readonly old: readonly string[];
  readonly new: readonly string[];
  /** Whether the text includes the line end of its last line. */
  readonly oldEndsLine: boolean;
  readonly newEndsLine: boolean;
}

/** null when the edit is not about whole lines. */
function wantedLines(edit: Edit): WantedLines | null {
  const old = splitLines(edit.oldText);
  const replacement = edit.newText === "" ? { lines: [], endsLine: false } : splitLines(edit.newText);
  // A leading newline ends the line before, which is not part of the edit.
  if (old.lines[0] === "" && old.lines.length > 1) {
    if (replacement.lines[0] !== "") return null;
    old.lines.shift();
    replacement.lines.shift();
  }
  if (old.lines.every(isBlankLine)) return null;
  return {
    old: old.lines,
    new: replacement.lines,
    oldEndsLine: old.endsLine,
    newEndsLine: replacement.endsLine,
  };
}

function splitLines(text: string): { lines: string[]; endsLine: boolean } {
  const lines = Buffer.from(text.replaceAll("\r\n", "\n")).toString(BYTES).split("\n");
  const endsLine = lines.length > 1 && lines.at(-1) === "";
  if (endsLine) lines.pop();
  return { lines, endsLine };
}

async function findCandidates(
  lines: readonly string[],
  wanted: WantedLines,
  slices: TimeSlices,
): Promise<Candidate[]> {
  const old = wanted.old.map(trimmed);
  const anchor = old.findIndex((line) => line !== "");
  const anchorLine = old[anchor] ?? "";
  const candidates: Candidate[] = [];
  let style: IndentStyle | null = null;
  const fileStyle = () => {
    style ??= indentStyle(lines);
    return style;
  };
  for (let at = 0; at + old.length <= lines.length; at++) {
    if (at % 256 === 0 && slices.due()) await slices.rest();
    if (trimmed(lines[at + anchor] ?? "") !== anchorLine) continue;
    if (!old.every((line, index) => trimmed(lines[at + index] ?? "") === line)) continue;
    const explained = explainIndentation(wanted.old, lines.slice(at, at + old.length), wanted.new, fileStyle);
    if (explained !== null) candidates.push({ at, ...explained });
  }
  return candidates;
}

function withoutOverlaps(candidates: readonly Candidate[], length: number): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    const last = kept.at(-1);
    if (last === undefined || candidate.at >= last.at + length) kept.push(candidate);
  }
  return kept;
}

function lineStarts(lines: readonly string[], candidates: readonly Candidate[]): number[] {
  const starts: number[] = [];
  let line = 0;
  let byte = 0;
  for (const { at } of candidates) {
    for (; line < at; line++) byte += (lines[line] ?? "").length + 1;
    starts.push(byte);
  }
  return starts;
}

/** Finds the old lines that stay, so that they keep their trailing spaces and line ends. */
async function alignLines({ old, new: replacement }: WantedLines): Promise<readonly LineChange[]> {
  const { diffArrays } = await import("diff");
  const changes = diffArrays([...old], [...replacement], { timeout: DIFF_TIMEOUT_MS });
  return (
    changes ?? [
      { removed: true, value: old },
      { added: true, value: replacement },
    ]
  );
}

interface LineChange {
  readonly added?: boolean;
  readonly removed?: boolean;
  readonly value: readonly string[];
}

interface Replaced {
  readonly body: Buffer;
  readonly lines: readonly string[];
  readonly wanted: WantedLines;
  readonly changes: readonly LineChange[];
  readonly candidate: Candidate;
  /** The byte where the candidate begins. */
  readonly start: number;
}

function toSplice({ body, lines, wanted, changes, candidate, start }: Replaced): Splice {
  const matched = lines.slice(candidate.at, candidate.at + wanted.old.length);
  const isLastOfFile = candidate.at + matched.length === lines.length;
  const length = matched.join("\n").length;
  const lineEnd = lineEndFinder(body)(start);
  const result: string[] = [];
  let next = 0;
  for (const { added, removed, value } of changes) {
    if (added) {
      for (const line of value) result.push(candidate.reindent(line, result.length) + lineEnd);
      continue;
    }
    const from = next;
    next += value.length;
    if (removed) continue;
    for (const line of matched.slice(from, next)) result.push(`${line}\n`);
    if (isLastOfFile && next === matched.length) result.push((result.pop() ?? "").slice(0, -1) + lineEnd);
  }
  const text = result.join("");
  const endsLine = wanted.newEndsLine && !(wanted.oldEndsLine && isLastOfFile);
  const carriageReturn = matched.at(-1)?.endsWith("\r") ? 1 : 0;
  const end = wanted.oldEndsLine ? start + length + (isLastOfFile ? 0 : 1) : start + length - carriageReturn;
  return { start, end, text: Buffer.from(endsLine ? text : text.replace(/\r?\n$/, ""), BYTES) };
}
