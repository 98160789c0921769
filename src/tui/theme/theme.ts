// A theme: for each role a text can have, a function that paints it. With no colours, roles that carry meaning
// keep bold, underline or reverse.
import { type ColourLevel, colourCode, type MixedLevel, mixColours } from "./colour.ts";
import { PALETTES, type Palette } from "./palettes.data.ts";

export type Paint = (text: string) => string;

export type Role = keyof typeof ATTRIBUTES | keyof typeof COLOURS;

export interface Theme extends Readonly<Record<Role, Paint>> {
  readonly name: string;
}

const DEFAULT_DARK = "tunacode";
const DEFAULT_LIGHT = "tunacode-light";

export function themeNames(): string[] {
  return PALETTES.map(({ name }) => name);
}

/** An unknown name gives the default for the background. */
export function createTheme(name: string, level: ColourLevel, darkBackground = true): Theme {
  const fallback = darkBackground ? DEFAULT_DARK : DEFAULT_LIGHT;
  const palette = findPalette(name) ?? findPalette(fallback);
  if (palette === undefined) throw new Error("There is no theme.");
  const styles: [role: string, style: Style][] = Object.entries(COLOURS);
  const paints = Object.fromEntries(styles.map(([role, style]) => [role, paintOf(style, palette, level)]));
  return { name: palette.name, ...ATTRIBUTES, ...(paints as Record<keyof typeof COLOURS, Paint>) };
}

function findPalette(name: string): Palette | undefined {
  return PALETTES.find((palette) => palette.name === name);
}

function paintOf([mixed, sixteen, colourless = plain]: Style, palette: Palette, level: ColourLevel): Paint {
  if (level === "none") return colourless;
  return level === "16" ? sixteen : mixed(palette, level);
}

const plain: Paint = (text) => text;
const bold = paintWith("1", "22");
const faint = paintWith("2", "22");
const italic = paintWith("3", "23");
const underline = paintWith("4", "24");
const reverse = paintWith("7", "27");
const red = paintWith("31", "39");
const green = paintWith("32", "39");
const yellow = paintWith("33", "39");
const blue = paintWith("34", "39");
const magenta = paintWith("35", "39");
const cyan = paintWith("36", "39");

const ATTRIBUTES = { strong: bold, italic, underline, strike: paintWith("9", "29") };

type Hue = Exclude<keyof Palette, "name" | "background">;
type MixedPaint = (palette: Palette, level: MixedLevel) => Paint;

/**
 * How a role looks in a colour of the palette, in the terminal's own 16 colours, and without any. The person has chosen
 * those 16, so they suit any background.
 */
type Style = readonly [mixed: MixedPaint, sixteen: Paint, colourless?: Paint];

const COLOURS = {
  dim: [ink("dim"), faint],
  faint: [ink("faint"), faint],
  accent: [ink("accent"), cyan],
  person: [ink("person"), magenta, bold],
  success: [ink("green"), green],
  warning: [ink("yellow"), yellow],
  danger: [ink("red"), red, bold],
  info: [ink("blue"), blue],
  border: [ink("dim", { share: 0.45 }), faint],
  selected: [ink("accent", { inner: bold }), (text) => cyan(bold(text)), reverse],
  added: [ink("green"), green],
  removed: [ink("red"), red],
  addedLine: [ground("green", 0.14), plain],
  removedLine: [ground("red", 0.14), plain],
  addedWord: [ground("green", 0.38), underline, underline],
  removedWord: [ground("red", 0.38), underline, underline],
  keyword: [ink("magenta"), magenta],
  string: [ink("green"), green],
  number: [ink("orange"), yellow],
  comment: [ink("faint", { inner: italic }), faint],
  title: [ink("blue"), blue],
  type: [ink("cyan"), cyan],
} satisfies Readonly<Record<string, Style>>;

function ink(hue: Hue, { share = 1, inner = plain } = {}): MixedPaint {
  return ({ background, [hue]: colour }, level) => {
    const outer = paintWith(colourCode(mixColours(background, colour, share), level, "ink"), "39");
    return (text) => outer(inner(text));
  };
}

function ground(hue: Hue, share: number): MixedPaint {
  return ({ background, [hue]: colour }, level) =>
    paintWith(colourCode(mixColours(background, colour, share), level, "ground"), "49");
}

function paintWith(open: string, close: string): Paint {
  return (text) => (text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`);
}
