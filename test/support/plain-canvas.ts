// A canvas without colours, for tests of what is drawn.
import { DEFAULT_LABELS } from "../../src/tui/input/app-keys.ts";
import { createTheme } from "../../src/tui/theme/theme.ts";
import type { Canvas } from "../../src/tui/view/look.ts";

export const PLAIN_CANVAS: Canvas = {
  width: 80,
  theme: createTheme("", "none"),
  now: 0,
  unfolded: false,
  highlighter: null,
  wordDiff: null,
  keys: DEFAULT_LABELS,
};
