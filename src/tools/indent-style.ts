// The spaces around a line: how lines are indented (tabs or spaces, how many for one level), and lines without them.

export interface IndentStyle {
  /** null: nothing is indented. */
  readonly unit: " " | "\t" | "mixed" | null;
  /** Characters for one level; null when it can't be told. */
  readonly step: number | null;
}

/** A file's style shows in its beginning. */
const MOST_LINES = 2_000;

export function indentOf(line: string): string {
  let end = 0;
  while (line[end] === " " || line[end] === "\t") end++;
  return line.slice(0, end);
}

/** Lines here are bytes as characters, so only what a byte can tell is a space: 0xA0 may be half of a letter. */
export function trimmed(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && isSpace(line.charCodeAt(start))) start++;
  while (end > start && isSpace(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

export function isBlankLine(line: string): boolean {
  return trimmed(line) === "";
}

/** The style of a file: the step is the commonest growth from one line to the next. */
export function indentStyle(lines: readonly string[]): IndentStyle {
  const indents = indentsOf(lines.slice(0, MOST_LINES));
  const unit = indentUnit(indents);
  if (unit !== " ") return { unit, step: unit === "\t" ? 1 : null };
  const growths = new Map<number, number>();
  for (const [index, indent] of indents.entries()) {
    const growth = indent.length - (indents[index - 1]?.length ?? 0);
    if (growth > 0) growths.set(growth, (growths.get(growth) ?? 0) + 1);
  }
  const commonest = [...growths].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])[0];
  return { unit, step: commonest?.[0] ?? null };
}

/** The style of a few lines, perhaps torn out of their place: the step is what all their differences have in common. */
export function snippetStyle(lines: readonly string[]): IndentStyle {
  const indents = indentsOf(lines);
  const unit = indentUnit(indents);
  if (unit !== " ") return { unit, step: unit === "\t" ? 1 : null };
  const lengths = [...new Set(indents.map((indent) => indent.length))].toSorted((a, b) => a - b);
  let step = 0;
  for (let index = 1; index < lengths.length; index++)
    step = greatestCommonDivisor(step, (lengths[index] ?? 0) - (lengths[index - 1] ?? 0));
  return { unit, step: step === 0 ? null : step };
}

export function indentUnit(indents: readonly string[]): IndentStyle["unit"] {
  const hasTabs = indents.some((indent) => indent.includes("\t"));
  const hasSpaces = indents.some((indent) => indent.includes(" "));
  if (hasTabs) return hasSpaces ? "mixed" : "\t";
  return hasSpaces ? " " : null;
}

function indentsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => !isBlankLine(line)).map(indentOf);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function isSpace(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}
