// Undo of one session, whether it is open in the app or was opened for this alone.
import { isAbsolute } from "node:path";
import type { Mask } from "../base/secrets.ts";
import type { RestoreConflict, RestorePlan } from "../checkpoint/restore-plan.ts";
import { joinChanges } from "../checkpoint/restore-plan.ts";
import type { RestoreResult, Restorer } from "../checkpoint/restoring.ts";
import type { Uncovered } from "../checkpoint/tracking.ts";
import { TunacodeError } from "../domain/error.ts";
import type { FileChange } from "../domain/file-change.ts";
import {
  type ChangeLedger,
  EMPTY_LEDGER,
  type LedgerTurn,
  lineTo,
  loadLedger,
} from "../session/change-ledger.ts";
import type { SessionPaths } from "../session/paths.ts";
import type { SessionState } from "../session/state.ts";
import type { SessionWriter } from "../session/writer.ts";
import { gitRemark } from "./git-remark.ts";
import { carryOutSelection } from "./going-back.ts";
import { isIdle, takeFreeTurn } from "./request-turn.ts";
import type { BackConflict, BackPlan, LineCounts, PastTurn, Undo, WentBack } from "./undo.ts";
import { branchesOf } from "./undo-branches.ts";
import { countedLines, diffOf, type KeptBytes, newCountBudget, readAhead } from "./undo-diff.ts";
import { joinUnbroken } from "./undo-join.ts";
import { changesOf, type Selection, select, selectBranch, takenBackIn } from "./undo-selection.ts";

export interface UndoGround {
  /** The project's folder. */
  readonly root: string;
  readonly state: SessionState;
  readonly paths: () => SessionPaths;
  /** null: the session can only be looked at. */
  readonly writer: SessionWriter | null;
  /** Opened when they are first needed. */
  readonly files: () => Promise<UndoFiles>;
  /** What the last call changed may still be looked for: resolves when it is in the journal. */
  readonly settle: () => Promise<void>;
  readonly mask: Mask;
  readonly onRestored: (changes: readonly FileChange[]) => Promise<void>;
  readonly uncovered: (signal: AbortSignal) => Promise<readonly Uncovered[]>;
}

export interface UndoFiles {
  readonly restorer: Restorer;
  readonly kept: KeptBytes;
}

const NO_PLAN: RestorePlan = { steps: [], conflicts: [] };

export function createUndo(ground: UndoGround): Undo {
  const { state, writer } = ground;
  /** By the turn and how much is known of it. */
  const counted = new Map<string, LineCounts | null>();

  async function readLedger(isOurTurn = isIdle(state)): Promise<ChangeLedger> {
    if (isOurTurn) await ground.settle();
    // What joined the conversation without an event has to be in the journal, too. And in a session that another window
    // has taken over, the last turns are not those of this one.
    await writer?.confirm();
    return (await loadLedger(ground.paths(), ground.root)) ?? EMPTY_LEDGER;
  }

  async function planned(selection: Selection): Promise<RestorePlan> {
    if (selection.changes.length === 0) return NO_PLAN;
    const { restorer, kept } = await ground.files();
    return restorer.plan(await joinUnbroken(selection.changes, kept));
  }

  async function goBack(
    choose: (ledger: ChangeLedger) => Selection,
    chosen: readonly string[],
  ): Promise<WentBack> {
    if (writer === null) throw new TunacodeError("usage", "This session is only looked at.");
    const endTurn = await takeFreeTurn(state);
    try {
      const ledger = await readLedger(true);
      const selection = choose(ledger);
      const plan = await planned(selection);
      // Afterwards the conversation no longer has the calls.
      const remarks = remarksOn(selection, state, ledger);
      const overwrite = overwritten(plan, chosen);
      const isNeeded = plan.steps.length > 0 || plan.conflicts.some(({ path }) => overwrite.has(path));
      const files = isNeeded ? { restorer: (await ground.files()).restorer, plan, overwrite } : null;
      const session = { root: ground.root, state, writer, ledger, onRestored: ground.onRestored };
      const done = await carryOutSelection(selection, session, files);
      const { restoreId, changes } = done;
      const conflicts = isNeeded ? done.conflicts : plan.conflicts;
      const messages = state.conversation.messages.slice();
      return { restoreId, messages, ...shown(selection, { changes, conflicts }, remarks) };
    } finally {
      endTurn();
    }
  }

  return {
    turns: async () => {
      const ledger = await readLedger();
      const taken = takenBackIn(ledger);
      const turns = lineTo(ledger.tip).map((turn, at) => pastTurn(turn, at + 1, taken));
      const lines = await countTurns(turns);
      return turns.map((turn) => ({ ...turn, lines: lines.get(turn) ?? null }));
    },
    plan: async (request) => {
      const ledger = await readLedger();
      const selection = select(request, ledger);
      const { steps, conflicts } = await planned(selection);
      const changes = steps.map(({ path, from, to }) => ({ path, before: from, after: to }));
      return shown(selection, { changes, conflicts }, remarksOn(selection, state, ledger));
    },
    goBack: (request, overwrite = []) => goBack((ledger) => select(request, ledger), overwrite),
    branches: async () => branchesOf(await readLedger()),
    switchTo: async (branch) => {
      await goBack((ledger) => {
        const conversation = selectBranch(branch, ledger);
        return { scope: "conversation", takesBack: [], changes: [], conversation, prompt: null };
      }, []);
    },
    diff: async (change) => {
      const found = await diffOf(change, (await ground.files()).kept);
      return found.type === "text" ? { ...found, diff: ground.mask(found.diff) } : found;
    },
    uncovered: ground.uncovered,
  };

  /** The newest first: those are the ones that people look at. */
  async function countTurns(turns: readonly PastTurn[]): Promise<ReadonlyMap<PastTurn, LineCounts | null>> {
    const keyOf = ({ requestId, calls, changes }: PastTurn) =>
      `${requestId} ${calls.length} ${changes.length}`;
    const open = turns.filter((turn) => turn.changes.length > 0 && !counted.has(keyOf(turn))).toReversed();
    if (open.length > 0) {
      const { kept } = await ground.files();
      const budget = newCountBudget();
      const read = await readAhead(
        open.flatMap(({ changes }) => changes),
        kept,
      );
      for (const turn of open) counted.set(keyOf(turn), await countedLines(turn.changes, read, budget));
    }
    return new Map(
      turns.map((turn) => [turn, turn.changes.length === 0 ? NO_LINES : (counted.get(keyOf(turn)) ?? null)]),
    );
  }
}

const NO_LINES: LineCounts = { added: 0, removed: 0 };

/** With a file that is where a folder was, the person decides about what was in that folder, too. */
function overwritten({ conflicts }: RestorePlan, chosen: readonly string[]): ReadonlySet<string> {
  const below = conflicts.filter(
    ({ path, why }) => why === "in the way" && chosen.some((file) => path.startsWith(`${file}/`)),
  );
  return new Set([...chosen, ...below.map(({ path }) => path)]);
}

function pastTurn(turn: LedgerTurn, number: number, taken: ReadonlySet<string>): PastTurn {
  const { requestId, prompt, at, files } = turn;
  const byCall = [...changesOf(turn)];
  const calls = byCall.map(([, entries]) => ({
    toolCallId: entries[0]?.call?.toolCallId ?? "",
    changes: joinChanges(entries.flatMap(({ changes }) => changes)),
  }));
  return {
    number,
    requestId,
    prompt,
    at,
    calls,
    others: files.filter(({ call }) => call === null).flatMap(({ changes }) => changes),
    changes: joinChanges(files.filter(({ call }) => call !== null).flatMap(({ changes }) => changes)),
    lines: null,
    isUndone: byCall.length > 0 && byCall.every(([key]) => taken.has(key)),
  };
}

function remarksOn(
  { takesBack }: Selection,
  { conversation }: SessionState,
  { restores }: ChangeLedger,
): readonly string[] {
  const remark = gitRemark(takesBack, conversation.messages, restores);
  return remark === null ? [] : [remark];
}

function shown(
  { prompt }: Selection,
  { changes, conflicts }: RestoreResult,
  remarks: readonly string[],
): BackPlan {
  return { changes, conflicts: conflicts.map(shownConflict), prompt, remarks };
}

function shownConflict({ path, why, now, to, detail }: RestoreConflict): BackConflict {
  const isElsewhere = why === "in the way" && isAbsolute(path);
  return {
    change: { path, before: now, after: to },
    why: [isElsewhere ? OUTSIDE : WHY[why], ...(detail === undefined ? [] : [detail])].join(" "),
    canOverwrite: why === "changed since",
  };
}

const OUTSIDE = "It is outside this project, or a folder on the way to it is something else now.";
const WHY: Readonly<Record<RestoreConflict["why"], string>> = {
  "changed since": "It was changed since, and not by this session.",
  "not kept": "What was in it before is not kept any more.",
  "can't be kept": "What is in it now can't be kept, so it is not overwritten.",
  special: "It is neither a file nor a folder.",
  "in the way": "A folder on the way to it is something else now.",
  "not empty": "The folder holds other files by now, so it stays.",
  failed: "It could not be put back.",
};
