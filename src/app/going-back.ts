// Goes back: files first, then the journal, then everybody who has to know. A process that is killed at any moment
// leaves what the next start needs to finish.
import type { RestorePlan } from "../checkpoint/restore-plan.ts";
import type { RestoreResult, Restorer } from "../checkpoint/restoring.ts";
import { TunacodeError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { FileChange, RestoreFacts } from "../domain/file-change.ts";
import { newRestoreId, type RestoreId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import { type ChangeLedger, type LedgerTurn, lineTo } from "../session/change-ledger.ts";
import { messagesOf } from "../session/past-conversation.ts";
import { reduceEvent } from "../session/reduce.ts";
import type { SessionState } from "../session/state.ts";
import { titleOf } from "../session/title.ts";
import type { SessionWriter } from "../session/writer.ts";
import { conversationRemark, filesRemark } from "./undo-remark.ts";
import type { ConversationMove, Selection } from "./undo-selection.ts";

export interface OpenLedger {
  /** The project's folder. */
  readonly root: string;
  readonly state: SessionState;
  readonly writer: SessionWriter;
  readonly ledger: ChangeLedger;
  /** Files were changed that are nobody's change. */
  readonly onRestored: (changes: readonly FileChange[]) => Promise<void>;
}

const NOTHING_DONE: RestoreResult = { changes: [], conflicts: [] };

export interface CarriedOut extends RestoreResult {
  readonly restoreId: RestoreId;
}

export interface PlannedFiles {
  readonly restorer: Restorer;
  readonly plan: RestorePlan;
  readonly overwrite: ReadonlySet<string>;
}

/** `files`: null if none of them change. */
export async function carryOutSelection(
  selection: Selection,
  session: OpenLedger,
  files: PlannedFiles | null,
): Promise<CarriedOut> {
  const { writer } = session;
  const { scope, takesBack, conversation } = selection;
  const restoreId = newRestoreId();
  const facts: RestoreFacts = {
    restoreId,
    at: new Date().toISOString(),
    scope,
    takesBack,
    backTo: conversation?.backTo ?? null,
    remark: null,
  };
  // A message that no record holds yet would be lost with the rewrite.
  await writer.catchUp();
  if (files !== null) await writer.restoring(facts);
  refuseUnsaved(writer);
  const result =
    files === null ? NOTHING_DONE : await files.restorer.carryOut(files.plan, restoreId, files.overwrite);
  await writeDown(facts, result, conversation, session);
  await session.onRestored(result.changes);
  // Otherwise the next start writes it down.
  if (writer.status.type === "saved") await files?.restorer.settle(restoreId);
  return { ...result, restoreId };
}

/** In the journal, and in the conversation. */
export async function writeDown(
  facts: RestoreFacts,
  { changes, conflicts }: RestoreResult,
  conversation: Pick<ConversationMove, "history" | "tip"> | null,
  { root, state, writer, ledger }: OpenLedger,
): Promise<void> {
  const kept = conflicts.map(({ path }) => path);
  const earlier = new Set(ledger.restores.map(({ facts: { restoreId } }) => restoreId));
  const isRedo = facts.takesBack.some((id) => earlier.has(id));
  const left = ledger.tip;
  const ledTo = conversation === null ? left : conversation.tip;
  const restores = [...ledger.restores, { facts, changes, before: ledger.now, left, ledTo }];
  const remark =
    conversation === null
      ? filesRemark(changes, isRedo)
      : conversationRemark({ ...ledger, restores }, conversation.tip, kept);
  const messages: readonly Message[] =
    conversation === null ? state.conversation.messages : messagesOf(conversation.history, writer.recorded());
  const record = async (event: AgentEvent) => {
    reduceEvent(state, event);
    await writer.record(event);
  };
  const by = { type: "restore", restoreId: facts.restoreId } as const;
  if (changes.length > 0) await record({ type: "files-changed", root, by, changes });
  const backTo = conversation === null ? null : facts.backTo;
  await record({ type: "restored", restore: { ...facts, backTo, remark }, messages });
  if (conversation === null) return;
  // A title that a person gave stays.
  const title = titleOfLine(conversation.tip);
  const isOwn = state.title === "" || state.title === titleOfLine(ledger.tip);
  if (isOwn && title !== state.title) await writer.title(title);
}

/** As a conversation that ends with this turn would have it. */
function titleOfLine(tip: LedgerTurn | null): string {
  return titleOf(lineTo(tip)[0]?.prompt ?? "");
}

/** Nothing is changed on disk that the next start could not know about. */
function refuseUnsaved({ status }: SessionWriter): void {
  if (status.type === "saved") return;
  throw new TunacodeError(
    "usage",
    `The session can't be saved (${status.problem}), so nothing is taken back: after a crash nobody would know.`,
  );
}
