// Finds an edit's text by whole lines when it isn't there exactly: first but for spaces at the end of lines, then but
// for indentation. Lines that the edit leaves alone keep their bytes; new lines are indented like the file's.
import type { TimeSlices } from "../base/time-slices.ts";
import { explainIndentation, type Reindent } from "./edit-indent.ts";
import type { Edit, EditPlan, MatchKind, Splice } from "./edit-plan.ts";
import { lineEndFinder } from "./file-text.ts";
import { type IndentStyle, indentStyle, isBlankLine, trimmed } from "./indent-style.ts";

/** Bytes as characters, one each: any byte survives, and a space is a space. */
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
  const rank = candidates.reduce(
    (best, candidate) => Math.min(best, candidate.rank),
    Number.POSITIVE_INFINITY,
  );
  const equals = candidates.filter((candidate) => candidate.rank === rank);
  if (equals.length === 0) return { type: "miss" };
  if (equals.length > 1 && !edit.replaceAll)
    return { type: "ambiguous", starts: lineStarts(lines, equals), isAll: true };
  const best = withoutOverlaps(equals, wanted.old.length);
  const starts = lineStarts(lines, best);
  const match: MatchKind = rank === 0 ? "line-trimmed" : "indentation";
  const steps = await alignLines(wanted);
  const splices: Splice[] = [];
  for (const [index, candidate] of best.entries()) {
    if (slices.due()) await slices.rest();
    splices.push(toSplice(body, lines, wanted, steps, candidate, starts[index] ?? 0));
  }
  return { type: "splices", match, splices };
}

interface WantedLines {
  readonly old: readonly string[];
  readonly new: readonly string[];
  /** Whether the old, the new text goes to the end of its last line and over it. */
  readonly oldEndsLine: boolean;
  readonly newEndsLine: boolean;
}

/** null: not a matter of whole lines. */
function wantedLines(edit: Edit): WantedLines | null {
  const old = splitLines(edit.oldText);
  const replacement = edit.newText === "" ? { lines: [], endsLine: false } : splitLines(edit.newText);
  // A newline in front is the end of the line before, which stays.
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

type Step =
  | { readonly type: "keep" | "remove"; readonly count: number }
  | { readonly type: "add"; readonly lines: readonly string[] };

/** Which of the old lines stay, so that their spaces at the end and their line ends stay too. */
async function alignLines(wanted: WantedLines): Promise<Step[]> {
  const { diffArrays } = await import("diff");
  const changes = diffArrays([...wanted.old], [...wanted.new], { timeout: DIFF_TIMEOUT_MS });
  if (changes === undefined)
    return [
      { type: "remove", count: wanted.old.length },
      { type: "add", lines: wanted.new },
    ];
  return changes.map((change) =>
    change.added
      ? { type: "add", lines: change.value }
      : { type: change.removed ? "remove" : "keep", count: change.value.length },
  );
}

function toSplice(
  body: Buffer,
  lines: readonly string[],
  wanted: WantedLines,
  steps: readonly Step[],
  candidate: Candidate,
  start: number,
): Splice {
  const matched = lines.slice(candidate.at, candidate.at + wanted.old.length);
  const isLastOfFile = candidate.at + matched.length === lines.length;
  const length = matched.join("\n").length;
  const lineEnd = lineEndFinder(body)(start);
  const result: string[] = [];
  let next = 0;
  for (const step of steps) {
    switch (step.type) {
      case "add":
        for (const line of step.lines) result.push(candidate.reindent(line, result.length) + lineEnd);
        break;
      case "keep":
        for (const line of matched.slice(next, next + step.count)) result.push(`${line}\n`);
        next += step.count;
        if (isLastOfFile && next === matched.length) result.push((result.pop() ?? "").slice(0, -1) + lineEnd);
        break;
      case "remove":
        next += step.count;
        break;
    }
  }
  const text = result.join("");
  const endsLine = wanted.oldEndsLine ? wanted.newEndsLine && !isLastOfFile : wanted.newEndsLine;
  const lastLine = matched.at(-1) ?? "";
  const carriageReturn = lastLine.endsWith("\r") ? 1 : 0;
  const end = wanted.oldEndsLine ? start + length + (isLastOfFile ? 0 : 1) : start + length - carriageReturn;
  return { start, end, text: Buffer.from(endsLine ? text : text.replace(/\r?\n$/, ""), BYTES) };
}
