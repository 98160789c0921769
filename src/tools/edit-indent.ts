// Finds the rule that maps the indentation of a model's text to the file's, and indents new lines by the same rule.
// If no simple rule explains every line, there is no match: a second try is better than broken indentation.
import { type IndentStyle, indentOf, indentUnit, isBlankLine, snippetStyle } from "./indent-style.ts";

/** `index` is the line's position in the new text. */
export type Reindent = (line: string, index: number) => string;

export interface Explanation {
  /** Lower is closer; 0 means identical indentation. */
  readonly rank: number;
  readonly reindent: Reindent;
}

/** `old` and `file` are the same lines except for surrounding spaces, as the model wrote them and as in the file. */
export function explainIndentation(
  old: readonly string[],
  file: readonly string[],
  added: readonly string[],
  fileStyle: () => IndentStyle,
): Explanation | null {
  const pairs = indentPairs(old, file);
  if (pairs.every(({ from, to }) => from === to)) return { rank: 0, reindent: (line) => line };

  // The model left out the first line's indentation; the other lines match the file.
  const [first, ...others] = pairs;
  if (
    first?.from === "" &&
    !isBlankLine(old[0] ?? "") &&
    others.length > 0 &&
    others.every(({ from, to }) => from === to)
  )
    return { rank: 1, reindent: (line, index) => (index === 0 ? first.to + line : line) };

  const rule = new Map(pairs.map(({ from, to }) => [from, to]));
  if (pairs.some(({ from, to }) => rule.get(from) !== to)) return null;
  const shift = shiftRule(rule);
  const shape = { rule, model: snippetStyle([...old, ...added]), file: blockStyle(rule, fileStyle) };
  const indent = shift !== null && isShiftEnough(shape) ? shift : (scaleRule(shape) ?? shift);
  if (indent === null) return null;
  return { rank: 2, reindent: (line) => reindented(line, indent) };
}

type IndentRule = (indent: string) => string;

interface Shape {
  /** Maps the model's indentation to the file's. */
  readonly rule: ReadonlyMap<string, string>;
  readonly model: IndentStyle;
  readonly file: IndentStyle;
}

function indentPairs(old: readonly string[], file: readonly string[]): { from: string; to: string }[] {
  const pairs: { from: string; to: string }[] = [];
  for (const [index, line] of old.entries())
    if (!isBlankLine(line)) pairs.push({ from: indentOf(line), to: indentOf(file[index] ?? "") });
  return pairs;
}

function reindented(line: string, indent: IndentRule): string {
  const before = indentOf(line);
  return before.length === line.length ? line : indent(before) + line.slice(before.length);
}

/** Every line has the same text added to, or removed from, the front of its indentation. */
function shiftRule(rule: ReadonlyMap<string, string>): IndentRule | null {
  const pairs = [...rule];
  const [from, to] = pairs[0] ?? ["", ""];
  const extra = to.slice(0, to.length - from.length);
  if (pairs.every((pair) => pair[1] === extra + pair[0])) return (indent) => extra + indent;
  const missing = from.slice(0, from.length - to.length);
  if (pairs.every((pair) => pair[0] === missing + pair[1]))
    return (indent) => (indent.startsWith(missing) ? indent.slice(missing.length) : "");
  return null;
}

/** A single pair of indentations can't tell a shift from a different unit or width; the styles can. */
function isShiftEnough({ rule, model, file }: Shape): boolean {
  if (rule.size > 1 || model.step === null || file.step === null) return true;
  if (model.unit !== file.unit) return false;
  const [from, to] = [...rule][0] ?? ["", ""];
  return model.step === file.step || (from.length / model.step) * file.step !== to.length;
}

/** Scales widths: tabs for spaces, or four spaces for two. */
function scaleRule({ rule, model, file }: Shape): IndentRule | null {
  if (model.unit === "mixed" || file.unit === "mixed" || file.unit === null) return null;
  const unit = file.unit;
  const widths = [...rule]
    .map(([from, to]) => [from.length, to.length] as const)
    .toSorted((a, b) => a[0] - b[0]);
  const low = widths[0] ?? [0, 0];
  const high = widths.at(-1) ?? low;
  const ratio = widths.length > 1 ? (high[1] - low[1]) / (high[0] - low[0]) : stepRatio(low, model, file);
  if (ratio === null || ratio <= 0) return null;
  // Shifted right and yet narrower: two things went wrong at once, so no rule can be trusted.
  if (model.unit === unit && ratio < 1 && low[1] > low[0]) return null;
  const width = (length: number) => low[1] + (length - low[0]) * ratio;
  if (widths.some(([from, to]) => Math.abs(width(from) - to) > 1e-6)) return null;
  return (indent) => {
    const known = rule.get(indent);
    if (known !== undefined) return known;
    const exact = Math.max(0, width(indent.length));
    if (unit === " ") return " ".repeat(Math.round(exact));
    const tabs = Math.floor(exact + 1e-6);
    return "\t".repeat(tabs) + " ".repeat(Math.round((exact - tabs) / ratio));
  };
}

function stepRatio(pair: readonly [number, number], model: IndentStyle, file: IndentStyle): number | null {
  const [from, to] = pair;
  const isWhole = to > 0 && from % to === 0;
  // Wider than a usual level, so it spans two levels, and the pair itself gives the ratio.
  const isWide = (model.step ?? 0) > 4 && file.unit === "\t" && isWhole;
  if (model.step !== null && file.step !== null && !isWide) return file.step / model.step;
  return from > 0 && to > 0 ? to / from : null;
}

function blockStyle(rule: ReadonlyMap<string, string>, fileStyle: () => IndentStyle): IndentStyle {
  const unit = indentUnit([...rule.values()]);
  if (unit === "\t") return { unit, step: 1 };
  const whole = fileStyle();
  if (unit === null || unit === whole.unit) return whole;
  return { unit, step: null };
}
