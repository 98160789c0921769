// What `tunacode undo` prints for scripts. The shapes are in docs/undo.md.
import type { PastTurn } from "../app/undo.ts";
import type { JsonObject } from "../base/json.ts";
import { contentText } from "../domain/content.ts";
import { encodeFileChange } from "./json.ts";
import type { Shown, ShownConflict, UncoveredFiles } from "./undo-text.ts";

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

export function encodeBack(sessionId: string, shown: Shown): JsonObject {
  const session = { session_id: sessionId };
  if (shown.type === "nothing") return { success: false, ...session, error: shown.why };
  const { restoreId = null, isDryRun, request, prompt, changes, conflicts, remarks } = shown;
  return {
    success: conflicts.length === 0,
    ...session,
    restore_id: restoreId,
    dry_run: isDryRun,
    scope: request.scope,
    prompt: prompt === null ? null : contentText(prompt),
    changes: changes.map(encodeFileChange),
    conflicts: conflicts.map(encodeConflict),
    remarks: [...remarks],
  };
}

function encodeConflict({ change, why, canOverwrite, diff }: ShownConflict): JsonObject {
  const shown = diff.type === "text" ? diff.diff : null;
  return { ...encodeFileChange(change), why, can_overwrite: canOverwrite, diff: shown };
}

export function encodeUncovered(uncovered: UncoveredFiles): JsonObject[] {
  return uncovered.map(({ path, why }) => ({ path, why: why.replaceAll(" ", "_") }));
}
