// The turn's figures as a picture for the README: bars beside the yardsticks of the same run, shorter is better.
import type { Row } from "../bench.ts";

const WIDTH = 720;
const LABEL_WIDTH = 250;
const BAR_WIDTH = 360;
const BAR_HEIGHT = 16;
const STEP = 22;
const GROUP_GAP = 34;
const COLOURS = { ours: "#2f81f7", yardstick: "#8b949e", other: "#bc8cff" };

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly unit: string;
  readonly colour: string;
}

export function drawChart(rows: readonly Row[]): string {
  const pieces: string[] = [];
  let y = 24;
  for (const [title, bars] of groups(rows)) {
    pieces.push(`<text x="0" y="${y}" font-weight="600">${escaped(title)}</text>`);
    y += 10;
    const longest = Math.max(...bars.map(({ value }) => value));
    for (const { label, value, unit, colour } of bars) {
      const width = Math.max(2, (value / longest) * BAR_WIDTH);
      const middle = y + BAR_HEIGHT - 4;
      pieces.push(
        `<text x="${LABEL_WIDTH - 8}" y="${middle}" text-anchor="end">${escaped(label)}</text>`,
        `<rect x="${LABEL_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="2" fill="${colour}"/>`,
        `<text x="${(LABEL_WIDTH + width + 6).toFixed(1)}" y="${middle}">${shown(value)} ${unit}</text>`,
      );
      y += STEP;
    }
    y += GROUP_GAP;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${Math.max(0, y - GROUP_GAP)}" role="img" aria-label="What a run costs" font-family="system-ui, sans-serif" font-size="13" fill="#8b949e">`,
    "<title>What a run costs, beside the yardsticks of the same run</title>",
    ...pieces,
    "</svg>\n",
  ].join("\n");
}

/** Where others were measured, what they were measured by. */
function groups(rows: readonly Row[]): [title: string, bars: Bar[]][] {
  const all = [...everyGroup(rows)];
  const withOthers = all.filter(([, bars]) => bars.some(({ colour }) => colour === COLOURS.other));
  return withOthers.length > 0 ? withOthers : all;
}

/** The rows of one figure, ours first, then the yardsticks and whoever else was measured. */
function everyGroup(rows: readonly Row[]): Map<string, Bar[]> {
  const found = new Map<string, Bar[]>();
  for (const { name, value, unit, yardstick, yardstickName } of rows) {
    const [, kind, program, figure] = /^(.+), ([^,]+): ([^,]+)$/.exec(name) ?? [];
    if (kind === undefined || program === undefined || figure === undefined) continue;
    const title = `${kind}: ${figure}`;
    const bars = found.get(title) ?? [];
    const ours = program === "tunacode";
    bars.push({ label: program, value, unit, colour: ours ? COLOURS.ours : COLOURS.other });
    if (ours && yardstick !== undefined)
      bars.push({ label: yardstickName ?? "yardstick", value: yardstick, unit, colour: COLOURS.yardstick });
    found.set(title, bars);
  }
  return found;
}

function shown(value: number): string {
  return value < 10 ? value.toFixed(1) : String(Math.round(value));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
