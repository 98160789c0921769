// The last line: how to go on with this conversation.
import type { ViewState } from "../state/view-state.ts";

/** null: nothing is on disk before the first prompt. */
export function farewell({ sessionId, transcript }: ViewState): string | null {
  if (transcript.done.every(({ kind }) => kind === "notice" || kind === "panel")) return null;
  return `To go on: tunacode --resume ${sessionId.slice(0, 8)}`;
}
