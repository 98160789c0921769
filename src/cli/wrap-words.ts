// Sentences for a terminal, broken between words: the terminal itself breaks in the middle of them.
import type { Console } from "./console.ts";

const FURTHER = "  ";
/** What stands in backticks is typed or copied as one. */
const WORD = /`[^`\n]*`\S*|\S+/g;

/** As it is where no terminal shows it: scripts and logs want their lines whole. */
export function forTerminal(text: string, { drawsToTerminal, columns }: Console): string {
  return drawsToTerminal ? wrapWords(text, columns()) : text;
}

/** Of an item, which is indented, what goes on in the next line is indented further. A word that is wider than the terminal stays whole. */
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
