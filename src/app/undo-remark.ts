// What the model is told after a going back that left files and conversation apart: it would go by what it remembers.
import { visibleLine } from "../base/visible-text.ts";
import type { FileChange } from "../domain/file-change.ts";
import { type ChangeLedger, type LedgerTurn, lineTo } from "../session/change-ledger.ts";
import { takenBackIn } from "./undo-selection.ts";

const MOST_NAMED = 30;

const READ_AGAIN = "Read them again before you rely on what you know of them.";

/** Files were taken back, or with redo brought back, and the conversation stayed. */
export function filesRemark(changed: readonly FileChange[], isRedo: boolean): string | null {
  const names = named(new Set(changed.map(({ path }) => path)));
  if (names === null) return null;
  const what = isRedo
    ? "brought changes back that had been taken back: these files are as they were after them"
    : "took changes back: these files are as they were before them";
  return `[The person ${what}: ${names}. ${READ_AGAIN}]`;
}

/**
 * The conversation went elsewhere. `ledger` is from before that, with the restore that is being made. `kept`: files that
 * should have gone with it and stayed.
 */
export function conversationRemark(
  ledger: ChangeLedger,
  tip: LedgerTurn | null,
  kept: readonly string[],
): string | null {
  const names = named(new Set([...differing(ledger, tip), ...kept]));
  if (names === null) return null;
  return `[The person went back in the conversation, and these files are not as it has them: ${names}. ${READ_AGAIN}]`;
}

/** Changes of other turns that are still there, and changes of its own that are not. */
function differing(ledger: ChangeLedger, tip: LedgerTurn | null): readonly string[] {
  const taken = takenBackIn(ledger);
  const line = new Set(lineTo(tip));
  const left = ledger.restores.flatMap((restore) => lineTo(restore.left));
  const turns = new Set([...line, ...lineTo(ledger.tip), ...left]);
  return [...turns].flatMap((turn) =>
    turn.files
      .filter(({ call }) => call !== null && taken.has(call.key) === line.has(turn))
      .flatMap(({ changes }) => changes.map(({ path }) => path)),
  );
}

function named(paths: ReadonlySet<string>): string | null {
  if (paths.size === 0) return null;
  const names = [...paths].slice(0, MOST_NAMED).map(visibleLine);
  const left = paths.size - names.length;
  return left === 0 ? names.join(", ") : `${names.join(", ")} and ${left} more`;
}
