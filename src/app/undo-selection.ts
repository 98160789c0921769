// Which changes a person means, and where the conversation goes: from a request to go back and the session's ledger.
// Pure; nothing on disk is looked at.
import type { Content } from "../domain/content.ts";
import { TunacodeError } from "../domain/error.ts";
import type { CallKey, FileChange, RestoreScope } from "../domain/file-change.ts";
import type { RequestId, RestoreId } from "../domain/ids.ts";
import {
  type ChangeLedger,
  type LedgerFiles,
  type LedgerRestore,
  type LedgerTurn,
  lineTo,
  type PastHistory,
  takenBack,
} from "../session/change-ledger.ts";
import { historyBefore } from "../session/past-conversation.ts";
import type { BackRequest } from "./undo.ts";

export interface Selection {
  readonly scope: RestoreScope;
  readonly takesBack: readonly (CallKey | RestoreId)[];
  /** In the order in which they were made; none if files stay as they are. */
  readonly changes: readonly FileChange[];
  readonly conversation: ConversationMove | null;
  /** Goes back into the editor. */
  readonly prompt: Content | null;
}

export interface ConversationMove {
  readonly backTo: RequestId | RestoreId;
  readonly history: PastHistory;
  /** Its last turn. */
  readonly tip: LedgerTurn | null;
}

/** Throws a `usage` error that says why there is nothing to go back to. */
export function select({ target, scope }: BackRequest, ledger: ChangeLedger): Selection {
  const line = lineTo(ledger.tip);
  switch (target.type) {
    case "last": {
      if (scope === "files") return filesOf([lastChanging(line, ledger)], ledger);
      const last = line.at(-1);
      if (last === undefined) throw nothing(ledger);
      return backToPrompt(last, [last], scope, ledger);
    }
    case "prompt": {
      const from = line[target.number - 1];
      if (from === undefined) throw noTurn(target.number, line, ledger);
      const turns = line.slice(target.number - 1);
      return scope === "files" ? filesOf(turns, ledger) : backToPrompt(from, turns, scope, ledger);
    }
    case "turn": {
      const turn = line[target.number - 1];
      if (turn === undefined) throw noTurn(target.number, line, ledger);
      return filesOf([turn], ledger);
    }
    case "call": {
      const found = line.findLast(({ files }) =>
        files.some(({ call }) => call?.toolCallId === target.toolCallId),
      );
      if (found === undefined) throw new TunacodeError("usage", "This call changed no files.");
      return filesOf([found], ledger, target.toolCallId);
    }
    case "redo":
      return redo(scope, ledger);
  }
}

export function selectBranch(branch: RestoreId, { restores }: ChangeLedger): ConversationMove {
  const found = restores.find(({ facts }) => facts.restoreId === branch);
  if (found === undefined) throw new TunacodeError("usage", `There is no branch ${branch}.`);
  return moveTo(found);
}

/** The calls of a turn that changed something, in order; what each changed at several times is together. */
export function changesOf({ files }: LedgerTurn): ReadonlyMap<CallKey, readonly LedgerFiles[]> {
  const byCall = new Map<CallKey, LedgerFiles[]>();
  for (const entry of files) {
    if (entry.call === null) continue;
    const known = byCall.get(entry.call.key);
    if (known === undefined) byCall.set(entry.call.key, [entry]);
    else known.push(entry);
  }
  return byCall;
}

export function takenBackIn({ restores }: ChangeLedger): ReadonlySet<CallKey | RestoreId> {
  return takenBack(restores.map(({ facts }) => facts));
}

function backToPrompt(
  from: LedgerTurn,
  turns: readonly LedgerTurn[],
  scope: "both" | "conversation",
  ledger: ChangeLedger,
): Selection {
  const history = historyBefore(from, ledger);
  if (history === null)
    throw new TunacodeError(
      "usage",
      "The journal no longer has the conversation before this prompt. Its files alone can be taken back: /rewind, or tunacode undo --files-only.",
    );
  const files = scope === "both" ? active(turns, ledger) : NO_FILES;
  const conversation = { backTo: from.requestId, history, tip: from.parent };
  return { ...files, scope, conversation, prompt: from.prompt };
}

function filesOf(turns: readonly LedgerTurn[], ledger: ChangeLedger, toolCallId?: string): Selection {
  const files = active(turns, ledger, toolCallId);
  if (files.takesBack.length === 0)
    throw new TunacodeError("usage", "There are no changes of files to take back there.");
  return { ...files, scope: "files", conversation: null, prompt: null };
}

type SelectedFiles = Pick<Selection, "takesBack" | "changes">;

const NO_FILES: SelectedFiles = { takesBack: [], changes: [] };

/** What these turns changed and nobody has taken back. */
function active(turns: readonly LedgerTurn[], ledger: ChangeLedger, toolCallId?: string): SelectedFiles {
  const taken = takenBackIn(ledger);
  const entries = turns
    .flatMap(({ files }) => files)
    .filter(
      ({ call }) =>
        call !== null && !taken.has(call.key) && (toolCallId === undefined || call.toolCallId === toolCallId),
    )
    .toSorted((one, other) => one.order - other.order);
  const keys = new Set(entries.flatMap(({ call }) => call?.key ?? []));
  return { takesBack: [...keys], changes: entries.flatMap(({ changes }) => changes) };
}

function lastChanging(line: readonly LedgerTurn[], ledger: ChangeLedger): LedgerTurn {
  const found = line.findLast((turn) => active([turn], ledger).takesBack.length > 0);
  if (found === undefined) throw nothing(ledger);
  return found;
}

/**
 * Brings back the newest that can be brought back here. The conversation of a newer prompt is never left for that: once
 * the person is in the conversation that they had left, its files can be brought back.
 */
function redo(scope: RestoreScope, ledger: ChangeLedger): Selection {
  const restores = lastRestores(ledger);
  const line = new Set<LedgerTurn | null>([null, ...lineTo(ledger.tip)]);
  const moves = ({ facts, ledTo }: LedgerRestore) =>
    scope !== "files" && facts.backTo !== null && ledTo === ledger.tip;
  const puts = ({ facts }: LedgerRestore) => scope !== "conversation" && facts.scope !== "conversation";
  const isHere = (restore: LedgerRestore) => puts(restore) && (scope === "files" || line.has(restore.left));
  const found = restores.find((restore) => moves(restore) || isHere(restore));
  if (found === undefined) throw nothingToRedo(restores.some(({ left }) => !line.has(left)));
  const conversation = moves(found) ? moveTo(found) : null;
  return {
    scope: conversation === null ? "files" : puts(found) ? "both" : "conversation",
    takesBack: [found.facts.restoreId],
    changes: puts(found) ? found.changes : [],
    conversation,
    prompt: null,
  };
}

/** The times of going back that count, newest first. Redo is none, and neither is going on with another conversation. */
function lastRestores(ledger: ChangeLedger): readonly LedgerRestore[] {
  const taken = takenBackIn(ledger);
  const ids = new Set(ledger.restores.map(({ facts }) => facts.restoreId));
  return ledger.restores
    .filter(({ facts: { restoreId, takesBack, backTo } }) => {
      const isBack = !takesBack.some((id) => ids.has(id)) && (backTo === null || !ids.has(backTo));
      return isBack && !taken.has(restoreId);
    })
    .toReversed();
}

function nothingToRedo(isElsewhere: boolean): TunacodeError {
  const where = isElsewhere
    ? " here: a prompt was sent since. In the app, /tree goes on with the conversation that was left, and /redo then brings its files back."
    : ".";
  return new TunacodeError("usage", `There is nothing to redo${where}`);
}

function moveTo({ facts, before, left }: LedgerRestore): ConversationMove {
  if (before === null)
    throw new TunacodeError("usage", "The journal no longer has the conversation that was left then.");
  return { backTo: facts.restoreId, history: before, tip: left };
}

function noTurn(number: number, line: readonly LedgerTurn[], ledger: ChangeLedger): TunacodeError {
  if (line.length === 0) return nothing(ledger);
  return new TunacodeError(
    "usage",
    `There is no prompt ${number}: they are numbered from 1 to ${line.length}.`,
  );
}

function nothing({ forkedFrom }: ChangeLedger): TunacodeError {
  const why =
    forkedFrom === null ? "" : ` This session is a copy of ${forkedFrom}, and undo begins with the copy.`;
  return new TunacodeError("usage", `There is nothing to take back.${why}`);
}
