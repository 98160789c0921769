// What the person said, with the time.

import { formatTime, plural } from "../../base/numbers.ts";
import type { PromptEntry } from "../state/entry.ts";
import type { Canvas } from "./canvas.ts";
import { expandTabs, fit, spread, wrap } from "./text.ts";

const MARGIN = "  ";
const MAX_LINES = 20;

export function promptView(entry: PromptEntry, { width, theme, unfolded }: Canvas): string[] {
  const time = entry.at === null ? "" : theme.faint(formatTime(entry.at));
  const lines = wrap(expandTabs(entry.text), width - 8);
  const most = unfolded ? lines.length : MAX_LINES;
  const shown = lines.slice(0, most).map((line, index) => {
    const text = theme.person(theme.strong(line));
    if (index > 0) return MARGIN + text;
    return spread(`${theme.person(entry.steered ? "↳" : "❯")} ${text}`, time, width);
  });
  const rest = lines.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [theme.faint(`${MARGIN}… ${plural(rest, "more line")} (Ctrl-O shows all)`)] : []),
    ...entry.attachments.map((name) => fit(theme.dim(`${MARGIN}+ ${name}`), width)),
  ];
}
