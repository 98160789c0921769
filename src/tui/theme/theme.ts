// A theme: for each role a text can have, a function that paints it. With no colours, roles that carry meaning
// keep bold, underline or reverse.
import { backgroundCode, type ColourLevel, foregroundCode, mixColours } from "./colour.ts";
import { PALETTES, type Palette } from "./palettes.data.ts";

export type Paint = (text: string) => string;

export type Role =
  | "strong"
  | "italic"
  | "underline"
  | "strike"
  | "dim"
  | "faint"
  | "accent"
  | "person"
  | "success"
  | "warning"
  | "danger"
  | "info"
  | "border"
  | "selected"
  | "added"
  | "removed"
  | "addedLine"
  | "removedLine"
  | "addedWord"
  | "removedWord"
  | "keyword"
  | "string"
  | "number"
  | "comment"
  | "title"
  | "type";

export interface Theme extends Readonly<Record<Role, Paint>> {
  /** Unique per palette and colour level: what was drawn with another one is drawn again. */
  readonly key: string;
  readonly name: string;
  readonly dark: boolean;
}

export const DEFAULT_DARK = "tunacode";
export const DEFAULT_LIGHT = "tunacode-light";

export function themeNames(): string[] {
  return PALETTES.map(({ name }) => name);
}

/** An unknown name gives the default for the background. */
export function createTheme(name: string, level: ColourLevel, darkBackground = true): Theme {
  const fallback = darkBackground ? DEFAULT_DARK : DEFAULT_LIGHT;
  const palette = findPalette(name) ?? findPalette(fallback) ?? PALETTES[0];
  if (palette === undefined) throw new Error("There is no theme.");
  const identity = { key: `${palette.name}/${level}`, name: palette.name, dark: palette.dark };
  return { ...identity, ...paints(palette, level) };
}

function findPalette(name: string): Palette | undefined {
  return PALETTES.find((palette) => palette.name === name);
}

const bold = paintWith("1", "22");
const italic = paintWith("3", "23");
const underline = paintWith("4", "24");
const strike = paintWith("9", "29");
const reverse = paintWith("7", "27");
const plain: Paint = (text) => text;

function paints(palette: Palette, level: ColourLevel): Record<Role, Paint> {
  const attributes = { strong: bold, italic, underline, strike };
  if (level === "none") return { ...attributes, ...WITHOUT_COLOUR };
  if (level === "16") return { ...attributes, ...WITH_16_COLOURS };
  const ink = (hex: string) => paintWith(foregroundCode(hex, level), "39");
  const ground = (hex: string, share: number) =>
    paintWith(backgroundCode(mixColours(palette.background, hex, share), level), "49");
  return {
    ...attributes,
    dim: ink(palette.dim),
    faint: ink(palette.faint),
    accent: ink(palette.accent),
    person: ink(palette.person),
    success: ink(palette.green),
    warning: ink(palette.yellow),
    danger: ink(palette.red),
    info: ink(palette.blue),
    border: ink(mixColours(palette.background, palette.dim, 0.45)),
    selected: (text) => ink(palette.accent)(bold(text)),
    added: ink(palette.green),
    removed: ink(palette.red),
    addedLine: ground(palette.green, 0.14),
    removedLine: ground(palette.red, 0.14),
    addedWord: ground(palette.green, 0.38),
    removedWord: ground(palette.red, 0.38),
    keyword: ink(palette.magenta),
    string: ink(palette.green),
    number: ink(palette.orange),
    comment: (text) => ink(palette.faint)(italic(text)),
    title: ink(palette.blue),
    type: ink(palette.cyan),
  };
}

type ColourRole = Exclude<Role, "strong" | "italic" | "underline" | "strike">;

const WITHOUT_COLOUR: Record<ColourRole, Paint> = {
  dim: plain,
  faint: plain,
  accent: plain,
  person: bold,
  success: plain,
  warning: plain,
  danger: bold,
  info: plain,
  border: plain,
  selected: reverse,
  added: plain,
  removed: plain,
  addedLine: plain,
  removedLine: plain,
  addedWord: underline,
  removedWord: underline,
  keyword: plain,
  string: plain,
  number: plain,
  comment: plain,
  title: plain,
  type: plain,
};

/** The terminal's own 16 colours are chosen by the person, so they are right on any background. */
const WITH_16_COLOURS: Record<ColourRole, Paint> = {
  dim: paintWith("2", "22"),
  faint: paintWith("2", "22"),
  accent: paintWith("36", "39"),
  person: paintWith("35", "39"),
  success: paintWith("32", "39"),
  warning: paintWith("33", "39"),
  danger: paintWith("31", "39"),
  info: paintWith("34", "39"),
  border: paintWith("2", "22"),
  selected: (text) => paintWith("36", "39")(bold(text)),
  added: paintWith("32", "39"),
  removed: paintWith("31", "39"),
  addedLine: plain,
  removedLine: plain,
  addedWord: underline,
  removedWord: underline,
  keyword: paintWith("35", "39"),
  string: paintWith("32", "39"),
  number: paintWith("33", "39"),
  comment: paintWith("2", "22"),
  title: paintWith("34", "39"),
  type: paintWith("36", "39"),
};

function paintWith(open: string, close: string): Paint {
  return (text) => (text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`);
}
