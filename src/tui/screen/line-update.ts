// From the lines on the screen to the lines that should be there, in as few bytes as possible: lines that stay are
// not written, and nothing is erased before it is written over, so nothing can flicker.
import { columns } from "../view/columns.ts";

/** Lines the screen shows at its end, and the one of them the cursor is on. */
export interface ShownLines {
  readonly lines: readonly string[];
  readonly cursorRow: number;
}

export interface LineUpdate {
  readonly bytes: string;
  /** The row of the new lines that the cursor is on afterwards. */
  readonly cursorRow: number;
}

export const NOTHING_SHOWN: ShownLines = { lines: [], cursorRow: 0 };

const RESET = "\u001b[0m";
const ERASE_TO_LINE_END = "\u001b[K";
/**
 * From the start of a line. The line first, then the rest from its second column: erased from the upper left corner,
 * tmux would take it for a cleared screen and put all of it into the scrollback.
 */
export const ERASE_BELOW = `${ERASE_TO_LINE_END}\u001b[C\u001b[J\r`;

/** Only moves relative to the cursor are used, so it does not matter where on the screen the lines stand. */
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

/** A whole line from its start, and nothing behind it. */
export function drawn(line: string, width: number): string {
  const text = line.includes("\u001b") ? line + RESET : line;
  // At the last column the cursor still stands on the character just written: erasing would take it.
  return columns(line) >= width ? text : text + ERASE_TO_LINE_END;
}
