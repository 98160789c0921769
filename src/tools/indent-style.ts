// How lines are indented (tabs or spaces, and how many for one level), and lines without their surrounding spaces.

export interface IndentStyle {
  /** null when nothing is indented. */
  readonly unit: " " | "\t" | "mixed" | null;
  /** Characters per level; null when unknown. */
  readonly step: number | null;
}

/** The beginning of a file is enough to tell its style. */
const MOST_LINES = 2_000;

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Lines have one character per byte here, so only ASCII spaces are trimmed: 0xA0 may be half of a letter. */
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

/** The style of a file. The step is the most common increase from one line to the next. */
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

/** The style of a few lines out of context. The step is the greatest common divisor of their differences. */
export function snippetStyle(lines: readonly string[]): IndentStyle {
  const indents = indentsOf(lines);
  const unit = indentUnit(indents);
  if (unit !== " ") return { unit, step: unit === "\t" ? 1 : null };
  const first = indents[0]?.length ?? 0;
  const differences = indents.map((indent) => Math.abs(indent.length - first));
  const step = differences.reduce(greatestCommonDivisor, 0);
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
