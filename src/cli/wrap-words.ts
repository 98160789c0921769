// Wraps sentences between words, because a terminal would break them inside a word.
import type { Console } from "./console.ts";

const FURTHER = "  ";
/** Text in backticks is copied as a whole, so it is never broken. */
const WORD = /`[^`\n]*`\S*|\S+/g;

/** Wraps for a terminal only: scripts and logs need whole lines. */
export function forTerminal(text: string, { drawsToTerminal, columns }: Console): string {
  return drawsToTerminal ? wrapWords(text, columns()) : text;
}

/** The continued lines of an indented item are indented further. A word wider than the terminal stays whole. */
export function wrapWords(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => (line.length <= width ? [line] : wrapLine(line, width)))
    .join("\n");
}

function wrapLine(line: string, width: number): string[] {
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  const further = indent === "" ? "" : indent + FURTHER;
  const lines: string[] = [];
  let current = indent;
  for (const [word] of line.matchAll(WORD)) {
    const isFirst = current.trim() === "";
    if (!isFirst && current.length + 1 + word.length > width) {
      lines.push(current);
      current = further + word;
    } else current += isFirst ? word : ` ${word}`;
  }
  return [...lines, current];
}
