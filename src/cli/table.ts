// Aligns rows in columns.
import { stripTerminalControls } from "../base/terminal-text.ts";

export function table(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map((cell) => stripTerminalControls(cell).replaceAll("\n", " ")));
  const widths: number[] = [];
  for (const row of clean)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return clean
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
