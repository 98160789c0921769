// A unified diff with line numbers and the changed words marked. Nothing in a line is hidden; unfolded, none is cut.

import { visibleLine } from "../../base/visible-text.ts";
import { columns } from "./columns.ts";
import { CONTINUED, cutRows, markNumbers } from "./exact-rows.ts";
import { type Canvas, shownBy } from "./look.ts";
import { fit } from "./text.ts";

interface DiffLine {
  readonly type: "context" | "added" | "removed" | "skip";
  readonly text: string;
  readonly number: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

interface DiffOptions {
  /** How many lines are shown; the rest is only counted. */
  readonly most: number;
  /** False if the line numbers in the file aren't known. */
  readonly numbered: boolean;
}

export function diffView(diff: string, canvas: Canvas, { most, numbered }: DiffOptions): string[] {
  const lines = readDiff(diff);
  // A single extra line is shown, because a line that counts it takes as much room.
  const shown = canvas.unfolded || lines.length === most + 1 ? lines : lines.slice(0, most);
  const digits = numbered ? String(Math.max(1, ...lines.map(({ number }) => number))).length : 0;
  const partners = partnersIn(shown);
  const view = shown.flatMap((line) => drawLine(line, partners.get(line) ?? null, digits, canvas));
  const rest = lines.length - shown.length;
  return rest === 0 ? view : [...view, canvas.theme.faint(`… ${rest} more lines${shownBy(canvas)}`)];
}

/** "+3 -1" */
export function diffStat(diff: string): { readonly added: number; readonly removed: number } {
  const lines = readDiff(diff);
  const count = (type: DiffLine["type"]) => lines.filter((line) => line.type === type).length;
  return { added: count("added"), removed: count("removed") };
}

/** For plain mode: "12 + text", or "+ text" if the line numbers in the file aren't known. */
export function plainDiff(diff: string, numbered: boolean): string[] {
  const signs = { added: "+", removed: "-", context: " " } as const;
  return readDiff(diff).map(({ type, text, number }) =>
    type === "skip" ? text : `${numbered ? `${number} ` : ""}${signs[type]} ${text}`,
  );
}

function readDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  for (const line of diff.split("\n")) {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      if (lines.length > 0) lines.push({ type: "skip", text: "⋯", number: 0 });
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      continue;
    }
    const text = visibleLine(line.slice(1));
    if (line.startsWith("+")) lines.push({ type: "added", text, number: after++ });
    else if (line.startsWith("-")) lines.push({ type: "removed", text, number: before++ });
    // A line in brackets says what was left out, one with a backslash that the line before it has no end.
    else if (line.startsWith("[")) lines.push({ type: "skip", text: visibleLine(line), number: 0 });
    else if (line.startsWith("\\")) lines.push({ type: "skip", text: `\\${text}`, number: 0 });
    else {
      lines.push({ type: "context", text, number: after++ });
      before++;
    }
  }
  return lines;
}

/** For each line that replaces another or is replaced by it: the n-th removed belongs to the n-th added one. */
function partnersIn(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, DiffLine> {
  const partners = new Map<DiffLine, DiffLine>();
  const block: { added: DiffLine[]; removed: DiffLine[] } = { added: [], removed: [] };
  const close = () => {
    if (block.added.length === block.removed.length)
      for (const [index, added] of block.added.entries()) {
        const removed = block.removed[index];
        if (removed !== undefined) partners.set(added, removed).set(removed, added);
      }
    block.added = [];
    block.removed = [];
  };
  for (const line of lines) {
    if (line.type === "added" || line.type === "removed") block[line.type].push(line);
    else close();
  }
  close();
  return partners;
}

function drawLine(line: DiffLine, partner: DiffLine | null, digits: number, canvas: Canvas): string[] {
  const { theme, width, unfolded } = canvas;
  const number =
    line.type === "skip" || digits === 0 ? " ".repeat(digits) : String(line.number).padStart(digits);
  const room = Math.max(1, width - digits - 3);
  const rows = unfolded ? cutRows(line.text, room) : [fit(line.text, room)];
  const draw = (row: string, index: number) => {
    const begin = (sign: string) => (index === 0 ? `${number} ${sign}` : " ".repeat(digits + 1) + CONTINUED);
    switch (line.type) {
      case "skip":
        return theme.faint(begin("") + row);
      case "context":
        return theme.faint(begin("  ")) + theme.dim(markNumbers(row, theme));
      case "added":
      case "removed": {
        const [ink, ground, sign] =
          line.type === "added"
            ? [theme.added, theme.addedLine, "+ "]
            : [theme.removed, theme.removedLine, "- "];
        const shown =
          rows.length === 1
            ? words({ ...line, text: row }, partner, canvas)
            : ground(markNumbers(row, theme));
        return ground(ink(begin(sign))) + shown + ground(" ".repeat(Math.max(0, room - columns(shown))));
      }
    }
  };
  return rows.map(draw);
}

/** Where most of a line differs, marking words would only make it harder to read. */
function words({ type, text }: DiffLine, partner: DiffLine | null, { wordDiff, theme }: Canvas): string {
  const isAdded = type === "added";
  const [mark, ground] = isAdded
    ? [theme.addedWord, theme.addedLine]
    : [theme.removedWord, theme.removedLine];
  const plain = ground(markNumbers(text, theme));
  if (partner === null || wordDiff === null) return plain;
  const changes = isAdded ? wordDiff(partner.text, text) : wordDiff(text, partner.text);
  const own = changes?.filter(({ added, removed }) => (isAdded ? !removed : !added)) ?? [];
  const same = own.filter(({ added, removed }) => !added && !removed).map(({ value }) => value.trim().length);
  if (same.reduce((sum, length) => sum + length, 0) * 2 < text.length) return plain;
  return own
    .map(({ value, added, removed }) => (added || removed ? mark : ground)(markNumbers(value, theme)))
    .join("");
}
