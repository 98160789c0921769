// Updates the lines on the screen with as few bytes as possible: lines that stay are not written, and nothing is
// erased before it is overwritten, so nothing flickers.
import { columns } from "../view/columns.ts";
import { withOwnColoursOnly } from "./own-colours.ts";

/** The live lines on the screen, and which of them the cursor is on. */
export interface ShownLines {
  readonly lines: readonly string[];
  readonly cursorRow: number;
}

interface LineUpdate {
  readonly bytes: string;
  /** The row of the new lines that the cursor is on afterwards. */
  readonly cursorRow: number;
}

export const NOTHING_SHOWN: ShownLines = { lines: [], cursorRow: 0 };

const RESET = "\u001b[0m";
const ERASE_TO_LINE_END = "\u001b[K";
/**
 * From the start of a line: erases the line, then everything from its second column on. Erasing from the upper left
 * corner would make tmux move the whole screen into the scrollback.
 */
export const ERASE_BELOW = `${ERASE_TO_LINE_END}\u001b[C\u001b[J\r`;

/** All moves are relative to the cursor, so it does not matter where on the screen the lines are. */
export function updateLines(shown: ShownLines, next: readonly string[], width: number): LineUpdate {
  const before = shown.lines;
  let row = shown.cursorRow;
  let bytes = "";
  for (const [index, line] of next.entries()) {
    if (index < before.length && before[index] === line) continue;
    if (index < before.length) bytes += `${moveRows(index - row)}\r`;
    else {
      bytes += moveRows(Math.max(0, index - 1) - row);
      // A new row at the end: the terminal scrolls if it has to.
      bytes += index === 0 ? "\r" : "\r\n";
    }
    bytes += drawn(line, width);
    row = index;
  }
  if (next.length < before.length) {
    bytes += `${moveRows(next.length - row)}\r${ERASE_BELOW}`;
    row = next.length;
  }
  return { bytes, cursorRow: row };
}

export function moveRows(count: number): string {
  if (count === 0) return "";
  return count > 0 ? `\u001b[${count}B` : `\u001b[${-count}A`;
}

export function moveToColumn(column: number): string {
  return `\u001b[${column + 1}G`;
}

/**
 * Draws a whole line from its start and erases the rest of the row. Every line goes through here, so this is where
 * nothing but our own colours can reach the terminal, whatever a view has forgotten.
 */
export function drawn(line: string, width: number): string {
  const safe = withOwnColoursOnly(line);
  const text = safe.includes("\u001b") ? safe + RESET : safe;
  // After the last column the cursor is still on the last character, which would be erased.
  return columns(safe) >= width ? text : text + ERASE_TO_LINE_END;
}
