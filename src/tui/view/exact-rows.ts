// Text of which every character counts, cut into rows: nothing is folded, trimmed or broken at blanks, and a row that
// continues a line begins with another sign than a new line does.
import { NUMBERED } from "../../base/visible-text.ts";
import type { Theme } from "../theme/theme.ts";
import { columns } from "./columns.ts";

/** Begins a row that continues the line above it. */
export const CONTINUED = "↪ ";

const UNIT = new RegExp(String.raw`${NUMBERED.source}|\P{M}\p{M}*`, "gu");

/** `drawn` comes from visible-text.ts. No row ends in a blank, which nobody could see: it begins the next row. */
export function cutRows(drawn: string, width: number): string[] {
  if (drawn.length * 2 <= width) return [drawn];
  const rows: string[] = [];
  let row = "";
  let used = 0;
  const known = new Map<string, number>();
  for (const unit of drawn.match(UNIT) ?? []) {
    const taken = known.get(unit) ?? columnsOf(unit);
    known.set(unit, taken);
    if (used + taken > width && row !== "") {
      const kept = row.trimEnd() || row;
      rows.push(kept);
      row = row.slice(kept.length);
      used = row.length;
    }
    row += unit;
    used += taken;
  }
  return [...rows, row];
}

interface Room {
  readonly width: number;
  readonly theme: Theme;
}

/** The rows of a line that begins with a sign of two columns, or with none. */
export function exactRows(drawn: string, { width, theme }: Room, sign = ""): string[] {
  const rows = cutRows(drawn, Math.max(1, width - CONTINUED.length));
  return rows.map((row, index) => theme.faint(index === 0 ? sign : CONTINUED) + markNumbers(row, theme));
}

/** The numbers of hidden characters stand out. */
export function markNumbers(row: string, theme: Theme): string {
  return row.replace(NUMBERED, theme.danger);
}

/** Terminals disagree about other scripts, and what doesn't fit into a row is lost. So the widest is assumed. */
function columnsOf(unit: string): number {
  if (unit.length === 1 && unit <= "~") return 1;
  return unit.startsWith("⟨") ? unit.length : Math.max(2, columns(unit));
}
