// Colours as a terminal supports them: 24 bit, 256, 16 or none.

export type ColourLevel = "none" | "16" | MixedLevel;
/** These can show the colours of a palette. */
export type MixedLevel = "256" | "true";

type Rgb = readonly [red: number, green: number, blue: number];

/** NO_COLOR wins over everything (no-color.org); then what the terminal claims to support. */
export function colourLevel(env: NodeJS.ProcessEnv): ColourLevel {
  if (env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "") return "none";
  const term = env["TERM"] ?? "";
  if (term === "dumb") return "none";
  if (/^(?:truecolor|24bit)$/.test(env["COLORTERM"] ?? "")) return "true";
  if (/-direct$|^(?:xterm-kitty|xterm-ghostty|wezterm|alacritty|foot)/.test(term)) return "true";
  if (term.includes("256") || /^(?:iTerm\.app|vscode)$/.test(env["TERM_PROGRAM"] ?? "")) return "256";
  return "16";
}

export function colourCode(hex: string, level: MixedLevel, place: "ink" | "ground"): string {
  const rgb = toRgb(hex);
  const start = place === "ink" ? 38 : 48;
  return level === "true" ? `${start};2;${rgb.join(";")}` : `${start};5;${nearest256(rgb)}`;
}

/** share: 0 gives the first colour, 1 the second. */
export function mixColours(first: string, second: string, share: number): string {
  const [from, to] = [toRgb(first), toRgb(second)];
  const mixed = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

export function isDarkColour({ r, g, b }: { r: number; g: number; b: number }): boolean {
  return 0.299 * r + 0.587 * g + 0.114 * b < 128;
}

function toRgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const CUBE_STEPS = [0, 95, 135, 175, 215, 255] as const;

/** The nearer one of the 6x6x6 cube and the grey ramp. */
function nearest256(rgb: Rgb): number {
  const [red, green, blue] = rgb.map(nearestStep) as [number, number, number];
  const cube = [red, green, blue].map((step) => CUBE_STEPS[step] ?? 0);
  const average = (rgb[0] + rgb[1] + rgb[2]) / 3;
  const grey = Math.max(0, Math.min(23, Math.round((average - 8) / 10)));
  const greyValue = 8 + grey * 10;
  const isGreyNearer = distance(rgb, [greyValue, greyValue, greyValue]) < distance(rgb, cube);
  return isGreyNearer ? 232 + grey : 16 + 36 * red + 6 * green + blue;
}

function nearestStep(value: number): number {
  let best = 0;
  for (const [index, step] of CUBE_STEPS.entries())
    if (Math.abs(step - value) < Math.abs((CUBE_STEPS[best] ?? 0) - value)) best = index;
  return best;
}

function distance(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + (value - (other[index] ?? 0)) ** 2, 0);
}
