// Fitting text into columns, whatever its script.
import { truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { columns } from "./columns.ts";

const ELLIPSIS = "…";
/** Stands for one in a one-line summary. */
export const LINE_BREAK = "⏎";

/** One line, cut to the width. */
export function fit(text: string, width: number): string {
  return columns(text) <= width ? text : truncateToWidth(text, Math.max(0, width), ELLIPSIS);
}

/** Lines of at most the width; the indentation goes before each. */
export function wrap(text: string, width: number, indent = ""): string[] {
  const room = Math.max(1, width - columns(indent));
  return text.split("\n").flatMap((line) => wrapTextWithAnsi(line, room).map((piece) => indent + piece));
}

/** Left and right on one line; the right one gives way first. */
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
