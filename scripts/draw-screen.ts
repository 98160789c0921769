// A terminal's screen as an SVG: what a terminal emulator makes of a program's output, each line appearing when it
// was written. Where nothing moves (a printed page, reduced motion) the whole screen is there at once.
import { Terminal } from "@xterm/headless";
import type { TerminalRun } from "./terminal-run.ts";

export interface Recording extends Pick<TerminalRun, "pieces"> {
  readonly columns: number;
  readonly rows: number;
  /** Shown as typed, above the output. */
  readonly command: string;
}

const FONT_SIZE = 14;
const CELL_WIDTH = 8.43;
const LINE_HEIGHT = 20;
const MARGIN = 20;
const TITLE_HEIGHT = 36;
const COMMAND_MS = 600;

const BACKGROUND = "#161b22";
const FOREGROUND = "#d0d7de";
const DIM = "#8b949e";
/** The terminal's own eight colours. */
const PALETTE = ["#484f58", "#ff7b72", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#d0d7de"];

interface Run {
  readonly column: number;
  text: string;
  readonly style: string;
}

interface Line {
  readonly runs: readonly Run[];
  readonly at: number;
}

export async function drawScreen({ columns, rows, command, pieces }: Recording): Promise<string> {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true });
  const appeared: number[] = [];
  for (const { text, at } of pieces) {
    await new Promise<void>((resolve) => terminal.write(text, resolve));
    for (let row = appeared.length; row <= terminal.buffer.active.cursorY; row++) appeared[row] = at;
  }
  const written = readLines(terminal, appeared).map((line) => ({ ...line, at: line.at + COMMAND_MS }));
  terminal.dispose();
  const prompt = {
    runs: [
      { column: 0, text: "$ ", style: `fill="${DIM}"` },
      { column: 2, text: command, style: "" },
    ],
    at: 0,
  };
  return toSvg([prompt, { runs: [], at: COMMAND_MS }, ...written], columns);
}

function readLines(terminal: Terminal, appeared: readonly number[]): Line[] {
  const lines = appeared.map((at, row) => ({ runs: readRuns(terminal, row), at }));
  while (lines.at(-1)?.runs.length === 0) lines.pop();
  return lines;
}

/** Neighbours of one style together. */
function readRuns(terminal: Terminal, row: number): Run[] {
  const line = terminal.buffer.active.getLine(row);
  const runs: Run[] = [];
  for (let column = 0; column < terminal.cols; column++) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const text = cell.getChars() || " ";
    const colour = cell.isFgPalette() ? PALETTE[cell.getFgColor()] : cell.isDim() ? DIM : undefined;
    const style = [colour && `fill="${colour}"`, cell.isBold() && 'font-weight="bold"']
      .filter(Boolean)
      .join(" ");
    const last = runs.at(-1);
    if (last?.style === style) last.text += text;
    else runs.push({ column, text, style });
  }
  const visible = runs.map((run) => ({ ...run, text: run.text.trimEnd() }));
  return visible.filter(({ text }) => text !== "");
}

function toSvg(lines: readonly Line[], columns: number): string {
  const width = Math.ceil(columns * CELL_WIDTH) + 2 * MARGIN;
  const height = TITLE_HEIGHT + lines.length * LINE_HEIGHT + MARGIN;
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (colour, index) => `<circle cx="${MARGIN + 6 + index * 20}" cy="20" r="6" fill="${colour}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="tunacode demo in a terminal">
<style>
text { font: ${FONT_SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: ${FOREGROUND}; white-space: pre; }
@media (prefers-reduced-motion: no-preference) { text { animation: appear 1ms linear both; } }
@keyframes appear { from { opacity: 0; } to { opacity: 1; } }
</style>
<rect width="${width}" height="${height}" rx="10" fill="${BACKGROUND}"/>
${dots.join("\n")}
${lines.flatMap(lineToSvg).join("\n")}
</svg>
`;
}

function lineToSvg({ runs, at }: Line, index: number): string[] {
  if (runs.length === 0) return [];
  const y = TITLE_HEIGHT + (index + 1) * LINE_HEIGHT - 4;
  const spans = runs.map(
    ({ column, text, style }) =>
      `<tspan x="${(MARGIN + column * CELL_WIDTH).toFixed(1)}"${style && ` ${style}`}>${escapeXml(text)}</tspan>`,
  );
  return [
    `<text y="${y}" xml:space="preserve" style="animation-delay:${(at / 1_000).toFixed(2)}s">${spans.join("")}</text>`,
  ];
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
