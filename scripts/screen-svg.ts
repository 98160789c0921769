// Draws a terminal's screen as an SVG picture, cell by cell.
import type { IBufferCell, Terminal } from "@xterm/headless";

export interface Picture {
  readonly title: string;
  readonly background: string;
  readonly foreground: string;
  /** When each row appears, in milliseconds. Without animation, all rows are visible at once. */
  readonly appearedAt?: readonly number[];
}

const FONT_SIZE = 14;
const CELL_WIDTH = 8.43;
const CELL_HEIGHT = 19;
const PADDING = 16;
const BAR_HEIGHT = 34;

interface Run {
  readonly column: number;
  readonly width: number;
  readonly text: string;
  readonly style: Style;
}

interface Style {
  readonly ink: string;
  readonly ground: string | null;
  /** Further attributes of the text. */
  readonly looks: string;
}

export function screenSvg(terminal: Terminal, picture: Picture): string {
  const rows = usedRows(terminal);
  const width = terminal.cols * CELL_WIDTH + PADDING * 2;
  const height = rows * CELL_HEIGHT + PADDING * 2 + BAR_HEIGHT;
  const body = Array.from({ length: rows }, (_, row) => drawRow(terminal, row, picture)).join("");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width.toFixed(0)}" height="${height}" font-family="'DejaVu Sans Mono','JetBrains Mono',Menlo,Consolas,monospace" font-size="${FONT_SIZE}">`,
    ...(picture.appearedAt === undefined ? [] : [APPEARING]),
    `<rect width="100%" height="100%" rx="10" fill="${picture.background}"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (fill, index) => `<circle cx="${20 + index * 20}" cy="18" r="6" fill="${fill}"/>`,
    ),
    `<text x="50%" y="23" text-anchor="middle" fill="${picture.foreground}" opacity="0.5" font-size="13">${escapeXml(picture.title)}</text>`,
    body,
    "</svg>\n",
  ].join("\n");
}

const APPEARING =
  "<style>@media (prefers-reduced-motion: no-preference) { g { animation: appear 1ms both } } @keyframes appear { from { opacity: 0 } }</style>";

function usedRows(terminal: Terminal): number {
  const { active } = terminal.buffer;
  let rows = terminal.rows;
  while (rows > 1 && (active.getLine(active.baseY + rows - 1)?.translateToString(true) ?? "") === "") rows--;
  return rows;
}

function drawRow(terminal: Terminal, row: number, picture: Picture): string {
  const y = BAR_HEIGHT + PADDING + row * CELL_HEIGHT;
  const runs = readRuns(terminal, row, picture)
    .map((run) => drawRun(run, y))
    .join("");
  const at = picture.appearedAt?.[row];
  if (at === undefined || runs === "") return runs;
  return `<g style="animation-delay:${(at / 1_000).toFixed(2)}s">${runs}</g>\n`;
}

function drawRun({ column, width, text, style }: Run, y: number): string {
  const x = (PADDING + column * CELL_WIDTH).toFixed(2);
  const length = (width * CELL_WIDTH).toFixed(2);
  const ground =
    style.ground === null
      ? ""
      : `<rect x="${x}" y="${y}" width="${length}" height="${CELL_HEIGHT}" fill="${style.ground}"/>`;
  if (text.trim() === "") return ground;
  const place = `x="${x}" y="${y + 14}" textLength="${length}" lengthAdjust="spacingAndGlyphs"`;
  return `${ground}<text ${place} fill="${style.ink}"${style.looks} xml:space="preserve">${escapeXml(text)}</text>`;
}

function readRuns(terminal: Terminal, row: number, picture: Picture): Run[] {
  const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + row);
  const runs: Run[] = [];
  for (let column = 0; column < terminal.cols; column++) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleOf(cell, picture);
    const text = cell.getChars() || " ";
    const last = runs.at(-1);
    // A symbol or a wide character may come from another font: in its own run it can't shift the rest.
    const isPlain = /^[ -~]$/.test(text);
    if (last !== undefined && isPlain && Bun.deepEquals(last.style, style) && /^[ -~]+$/.test(last.text))
      runs[runs.length - 1] = { ...last, text: last.text + text, width: last.width + cell.getWidth() };
    else runs.push({ column, width: cell.getWidth(), text, style });
  }
  return runs;
}

function styleOf(cell: IBufferCell, { foreground, background }: Picture): Style {
  const ink = cell.isFgDefault() ? foreground : colourOf(cell.getFgColor(), cell.isFgRGB());
  const ground = cell.isBgDefault() ? null : colourOf(cell.getBgColor(), cell.isBgRGB());
  const isInverse = cell.isInverse() !== 0;
  const looks = [
    cell.isBold() ? ' font-weight="bold"' : "",
    cell.isItalic() ? ' font-style="italic"' : "",
    cell.isUnderline() ? ' text-decoration="underline"' : "",
    cell.isStrikethrough() ? ' text-decoration="line-through"' : "",
    cell.isDim() ? ' opacity="0.6"' : "",
  ].join("");
  return { ink: isInverse ? (ground ?? background) : ink, ground: isInverse ? ink : ground, looks };
}

const ANSI = (
  "1e1e1e cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd e5e5e5 " +
  "666666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db ffffff"
).split(" ");

function colourOf(value: number, isRgb: boolean): string {
  return `#${isRgb ? value.toString(16).padStart(6, "0") : (ANSI[value] ?? "cccccc")}`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
