// What every view is given besides its data: the width, the colours, the time.
import type { Theme } from "../theme/theme.ts";
import type { Highlighter } from "./highlight.ts";
import type { WordDiff } from "./word-diff.ts";

export interface Canvas {
  readonly width: number;
  readonly theme: Theme;
  readonly now: number;
  /** Nothing is folded: the pager. */
  readonly unfolded: boolean;
  /** Loaded when they are first needed; until then code and diffs are plainer. */
  readonly highlighter: Highlighter | null;
  readonly wordDiff: WordDiff | null;
}
