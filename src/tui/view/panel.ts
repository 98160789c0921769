// Every list the app shows: a title, a table, and the keys that work on it.
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { Panel } from "../../front/contract.ts";
import { columns } from "./columns.ts";
import type { Canvas } from "./look.ts";
import { fit, oneLine, pad, wrap } from "./text.ts";

/** The share of the width that all columns before the last one may take. */
const MAX_HEAD_SHARE = 0.6;
const GAP = "  ";
const WIDEST_TABLE = 116;

interface PanelParts extends Panel {
  /** Faint text beside the title. */
  readonly count?: string;
  /** Lines between title and table. */
  readonly above?: readonly string[];
  /** The row the cursor is on; null: no row can be chosen. */
  readonly selected: number | null;
  readonly below?: readonly string[];
  readonly keys?: string;
}

/** A panel in the transcript has nothing to choose, and no text is cut. */
export function panelView({ title, rows }: Panel, canvas: Canvas): string[] {
  const inner = { ...canvas, width: Math.min(canvas.width - 2, WIDEST_TABLE) };
  return listView({ title, rows, selected: null }, inner).map((line) => `  ${line}`);
}

export function listView(parts: PanelParts, { width, theme }: Canvas): string[] {
  const { count = "", above = [], selected, below = [], keys } = parts;
  const title = stripTerminalControls(parts.title);
  const rows = parts.rows.map((row) => row.map((cell) => stripTerminalControls(cell)));
  const widths = headWidths(rows, width);
  const lines = rows.flatMap((row, index) => {
    const last = row.slice(widths.length).join(" ");
    const isAlone = selected !== null && last === "" && widths.length === 1;
    const heads = widths.map((room, column) =>
      pad(fit(oneLine(row[column] ?? ""), isAlone ? width - GAP.length : room), room),
    );
    if (selected === null) {
      const start = heads.map((head) => theme.accent(head) + GAP).join("");
      const [first = "", ...rest] = wrap(last, Math.max(1, width - columns(start)));
      const indent = " ".repeat(columns(start));
      return [start + first, ...rest.map((line) => indent + line)];
    }
    const isSelected = index === selected;
    const label = heads.join(GAP);
    const start = `${isSelected ? "❯" : " "} ${isSelected ? theme.selected(label) : label}`;
    return [fit(`${start}${GAP}${theme.dim(last)}`, width)];
  });
  return [
    fit(`${theme.accent(theme.strong(title))}${theme.faint(count)}`, width),
    ...above,
    ...lines,
    ...below,
    ...(keys === undefined ? [] : ["", fit(theme.faint(keys), width)]),
  ];
}

/** The width of every column but the last, which takes the rest. */
function headWidths(rows: readonly (readonly string[])[], width: number): number[] {
  const count = Math.max(1, ...rows.map((row) => row.length)) - 1;
  const most = Math.floor(((width - 6) * MAX_HEAD_SHARE) / Math.max(1, count));
  return Array.from({ length: count }, (_, column) =>
    Math.min(most, Math.max(0, ...rows.map((row) => columns(row[column] ?? "")))),
  );
}
