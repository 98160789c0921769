// A block of an answer: prose as Markdown, code highlighted.
import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui";
import type { Block, CodeBlock } from "../state/answer-blocks.ts";
import type { Theme } from "../theme/theme.ts";
import type { Run } from "./highlight.ts";
import type { Canvas } from "./look.ts";
import { expandTabs, wrap } from "./text.ts";

const MARGIN = "  ";
/** Longer lines of prose are hard to read, however wide the terminal. */
const MAX_PROSE_WIDTH = 120;

export function answerView(block: Block, canvas: Canvas): string[] {
  const lines = block.type === "code" ? codeLines(block, canvas) : proseLines(block.text, canvas);
  return lines.map((line) => (line === "" ? "" : MARGIN + line));
}

export function proseLines(text: string, { width, theme }: Canvas): string[] {
  const room = Math.max(10, Math.min(width - MARGIN.length * 2, MAX_PROSE_WIDTH));
  const markdown = new Markdown(text, 0, 0, markdownTheme(theme), undefined, {
    // A dollar sign is more often a shell variable or a price than a formula.
    renderLatex: false,
    preserveOrderedListMarkers: true,
  });
  return markdown.render(room).map((line) => line.trimEnd());
}

/** Nothing is drawn before the lines of code, so selecting them with the mouse copies only code. */
function codeLines(block: CodeBlock, canvas: Canvas): string[] {
  const { theme, width } = canvas;
  const indent = " ".repeat(Math.min(block.indent, 8));
  const room = Math.max(10, width - MARGIN.length * 2);
  const code = expandTabs(block.text);
  const runs = block.language === "" ? null : (canvas.highlighter?.(code, block.language) ?? null);
  const lines = runs === null ? code.split("\n") : runs.map((line) => paintRuns(line, theme));
  return [
    ...(block.opens ? [`${indent}${theme.border("──")} ${theme.faint(block.language || "text")}`] : []),
    ...lines.flatMap((line) => wrap(line, room, indent)),
    ...(block.closes ? [`${indent}${theme.border("──")}`] : []),
  ];
}

function paintRuns(runs: readonly Run[], theme: Theme): string {
  return runs.map(({ text, role }) => (role === null ? text : theme[role](text))).join("");
}

function markdownTheme(theme: Theme): MarkdownTheme {
  return {
    heading: theme.accent,
    link: theme.info,
    linkUrl: theme.faint,
    code: theme.type,
    codeBlock: (text) => text,
    codeBlockBorder: theme.border,
    quote: theme.dim,
    quoteBorder: theme.border,
    hr: theme.border,
    listBullet: theme.accent,
    bold: theme.strong,
    italic: theme.italic,
    strikethrough: theme.strike,
    underline: theme.underline,
  };
}
