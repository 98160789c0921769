// Fits text of any script into columns.
import { truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { columns } from "./columns.ts";

const ELLIPSIS = "…";
/** Replaces a line break in a one-line summary. */
export const LINE_BREAK = "⏎";

/** Cuts one line to the width. */
export function fit(text: string, width: number): string {
  return columns(text) <= width ? text : truncateToWidth(text, Math.max(0, width), ELLIPSIS);
}

/** Wraps to the width, with the indentation before each line. */
export function wrap(text: string, width: number, indent = ""): string[] {
  const room = Math.max(1, width - columns(indent));
  return text.split("\n").flatMap((line) => wrapTextWithAnsi(line, room).map((piece) => indent + piece));
}

/** Puts both on one line; without room, the right one is dropped. */
export function spread(left: string, right: string, width: number): string {
  const room = width - columns(left) - columns(right);
  return right === "" || room < 2 ? fit(left, width) : left + " ".repeat(room) + right;
}

export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columns(text)));
}

/** Line breaks and tabs would break a one-line summary. */
export function oneLine(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ` ${LINE_BREAK} `)
    .replace(/\t/g, " ")
    .trim();
}

export function expandTabs(text: string): string {
  return text.replace(/\t/g, "    ");
}
