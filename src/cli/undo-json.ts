// What `tunacode undo` prints for scripts. The shapes are in docs/undo.md.
import type { PastTurn } from "../app/undo.ts";
import type { JsonObject } from "../base/json.ts";
import { contentText } from "../domain/content.ts";
import { encodeFileChange } from "./json.ts";
import type { Done, ShownConflict, UncoveredFiles } from "./undo-text.ts";

export function encodeTurns(sessionId: string, turns: readonly PastTurn[]): JsonObject {
  return { session_id: sessionId, turns: turns.map(encodeTurn) };
}

function encodeTurn(turn: PastTurn): JsonObject {
  const { number, requestId, prompt, at, changes, lines, isUndone, calls, others } = turn;
  return {
    number,
    request_id: requestId,
    prompt: contentText(prompt),
    at,
    files: changes.length,
    added: lines?.added ?? null,
    removed: lines?.removed ?? null,
    undone: isUndone,
    changes: changes.map(encodeFileChange),
    calls: calls.map((call) => ({
      tool_call_id: call.toolCallId,
      changes: call.changes.map(encodeFileChange),
    })),
    changed_by_others: others.map(encodeFileChange),
  };
}

/** null: there was nothing to take back. */
export function encodeBack(sessionId: string, done: Done | null): JsonObject {
  return {
    success: done !== null && done.conflicts.length === 0,
    session_id: sessionId,
    restore_id: done?.restoreId ?? null,
    dry_run: done?.isDryRun ?? false,
    scope: done?.request.scope ?? null,
    prompt: done === null || done.prompt === null ? null : contentText(done.prompt),
    changes: done?.changes.map(encodeFileChange) ?? [],
    conflicts: done?.conflicts.map(encodeConflict) ?? [],
    remarks: [...(done?.remarks ?? [])],
  };
}

function encodeConflict({ change, why, canOverwrite, diff }: ShownConflict): JsonObject {
  const shown = diff.type === "text" ? diff.diff : null;
  return { ...encodeFileChange(change), why, can_overwrite: canOverwrite, diff: shown };
}

export function encodeUncovered(uncovered: UncoveredFiles): JsonObject[] {
  return uncovered.map(({ path, why }) => ({ path, why: why.replaceAll(" ", "_") }));
}
