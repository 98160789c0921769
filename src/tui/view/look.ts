// The current look: the theme, and the libraries for code and diffs once they are loaded.
import { systemClock } from "../../base/clock.ts";
import type { KeyLabels } from "../input/app-keys.ts";
import { type ColourLevel, colourLevel } from "../theme/colour.ts";
import { createTheme, type Theme } from "../theme/theme.ts";
import { type Highlighter, loadHighlighter } from "./highlight.ts";
import { loadWordDiff, type WordDiff } from "./word-diff.ts";

/** What every view is given besides its data: the width, the colours, the time. */
export interface Canvas {
  readonly width: number;
  readonly theme: Theme;
  readonly now: number;
  /** Nothing is folded, as in the pager. */
  readonly unfolded: boolean;
  /** Loaded when they are first needed; until then code and diffs are plainer. */
  readonly highlighter: Highlighter | null;
  readonly wordDiff: WordDiff | null;
  /** For hints, which name the keys as the person has bound them. */
  readonly keys: KeyLabels;
}

/** "Esc stops"; empty if no key does it. */
export function keyHint([key]: readonly string[], effect: string): string {
  return key === undefined ? "" : `${key} ${effect}`;
}

/** Follows a count of hidden lines: " (Ctrl-O shows all)". */
export function shownBy({ keys }: Pick<Canvas, "keys">, what = "all"): string {
  const hint = keyHint(keys.unfold, `shows ${what}`);
  return hint === "" ? "" : ` (${hint})`;
}

export class Look {
  readonly #level: ColourLevel;
  #name: string;
  #darkBackground = true;
  #theme: Theme;
  #highlighter: Highlighter | null = null;
  #wordDiff: WordDiff | null = null;
  #loading: Promise<void> | null = null;

  constructor(theme: string, env: NodeJS.ProcessEnv) {
    this.#level = colourLevel(env);
    this.#name = theme;
    this.#theme = createTheme(this.#name, this.#level);
  }

  get theme(): Theme {
    return this.#theme;
  }

  setTheme(name: string): void {
    this.#name = name;
    this.#theme = createTheme(name, this.#level, this.#darkBackground);
  }

  /** Chooses between the dark and the light default; a theme that the person chose stays. */
  setBackground(dark: boolean): void {
    this.#darkBackground = dark;
    this.setTheme(this.#name);
  }

  canvas(width: number, keys: KeyLabels, unfolded = false): Canvas {
    return {
      keys,
      width,
      unfolded,
      theme: this.#theme,
      now: systemClock.now(),
      highlighter: this.#highlighter,
      wordDiff: this.#wordDiff,
    };
  }

  /** Called after the first paint, long before an answer has its first code. */
  load(): Promise<void> {
    this.#loading ??= Promise.all([loadHighlighter(), loadWordDiff()]).then(
      ([highlighter, wordDiff]) => {
        this.#highlighter = highlighter;
        this.#wordDiff = wordDiff;
      },
      // Without the libraries everything is shown, only plainer.
      () => {},
    );
    return this.#loading;
  }
}
