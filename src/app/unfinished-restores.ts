// Restores that a killed process had begun: they are finished when their session is opened, and written down in it, so
// that files and conversation are where the person wanted them.
import { plural } from "../base/numbers.ts";
import { visibleLine } from "../base/visible-text.ts";
import type { RestoreFacts } from "../domain/file-change.ts";
import type { RestoreId } from "../domain/ids.ts";
import { type ChangeLedger, lineTo, loadLedger } from "../session/change-ledger.ts";
import { historyBefore } from "../session/past-conversation.ts";
import type { SessionState } from "../session/state.ts";
import { titleOf } from "../session/title.ts";
import type { SessionWriter } from "../session/writer.ts";
import { writeDown } from "./going-back.ts";
import { pendingRestores } from "./pending-restores.ts";
import type { UndoPlace } from "./undo-place.ts";
import type { ConversationMove } from "./undo-selection.ts";

/** Returns sentences for the person. Costs the look into a folder if there is none. */
export async function finishRestores(
  session: { readonly state: SessionState; readonly writer: SessionWriter },
  place: UndoPlace,
): Promise<readonly string[]> {
  const { paths } = session.writer;
  const { root } = place.project;
  if (!pendingRestores(place.restores).isOf(paths)) return [];
  const { openUndoFiles } = await import("./undo-files.ts");
  const { restorer } = await openUndoFiles(paths, place);
  const notices: string[] = [];
  for (const { restoreId, ...result } of await restorer.recover()) {
    const ledger = await loadLedger(paths, root);
    if (ledger === null) break;
    if (!ledger.restores.some(({ facts }) => facts.restoreId === restoreId)) {
      const facts = ledger.begun.get(restoreId) ?? unknownRestore(restoreId);
      const onRestored = async () => {};
      await writeDown(facts, result, movedTo(facts, ledger), { ...session, root, ledger, onRestored });
      const kept = result.conflicts.length;
      const stayed =
        kept === 0 ? "" : ` ${plural(kept, "file")} stayed as ${kept === 1 ? "it is" : "they are"}.`;
      const files = plural(result.changes.length, "file");
      notices.push(
        `Undo was interrupted and is finished now: ${files}.${stayed}${describePrompt(facts, ledger)} Redo brings it back.`,
      );
    }
    if (session.writer.status.type === "saved") await restorer.settle(restoreId);
  }
  return notices;
}

/** It did not come back into the editor. */
function describePrompt({ backTo }: RestoreFacts, { tip }: ChangeLedger): string {
  const turn = lineTo(tip).find(({ requestId }) => requestId === backTo);
  const title = turn === undefined ? "" : titleOf(turn.prompt);
  return title === "" ? "" : ` The prompt was "${visibleLine(title)}".`;
}

/** Its record is damaged: what it did to the files is known, and can be taken back. */
function unknownRestore(restoreId: RestoreId): RestoreFacts {
  const at = new Date().toISOString();
  return { restoreId, at, scope: "files", takesBack: [], backTo: null, remark: null };
}

/** Null: the conversation stays, or nobody knows any more where it was to go. */
function movedTo({ backTo }: RestoreFacts, ledger: ChangeLedger): Omit<ConversationMove, "backTo"> | null {
  const turn = lineTo(ledger.tip).find(({ requestId }) => requestId === backTo);
  const history = turn && historyBefore(turn, ledger);
  if (turn && history) return { history, tip: turn.parent };
  const restore = ledger.restores.find(({ facts }) => facts.restoreId === backTo);
  return restore?.before ? { history: restore.before, tip: restore.left } : null;
}
