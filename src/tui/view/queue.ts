// Prompts that wait for their turn, and what else will go with the next one.

import { plural } from "../../base/numbers.ts";
import type { ViewState } from "../state/view-state.ts";
import type { Canvas } from "./canvas.ts";
import { fit, oneLine } from "./text.ts";

const MAX_SHOWN = 5;

export function queueView({ queue, waitingOutputs }: ViewState, { width, theme }: Canvas): string[] {
  const shown = queue.slice(0, MAX_SHOWN).map(({ kind, text }) => {
    const when = kind === "steer" ? "with the next tool results" : "afterwards";
    return fit(`${theme.person("  ↳")} ${theme.dim(`${when}:`)} ${oneLine(text)}`, width);
  });
  const rest = queue.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [theme.faint(`    and ${rest} more`)] : []),
    ...(queue.length > 0 ? [theme.faint("    Alt-Up takes the last one back")] : []),
    ...(waitingOutputs > 0
      ? [theme.faint(`  + the output of ${plural(waitingOutputs, "command")} goes with your next prompt`)]
      : []),
  ];
}
