// What a session changed on disk and what a person took back, with the conversation as it was at each of these moments.
// Read from the journal when somebody wants something back, and never before. The turns are a tree: each follows
// another, and going back means that the next one follows an earlier one.
import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { isWithin } from "../base/real-path.ts";
import type { Content } from "../domain/content.ts";
import type { CallKey, FileChange, RestoreFacts } from "../domain/file-change.ts";
import type { RequestId, RestoreId, SessionId, ToolCallId } from "../domain/ids.ts";
import type { EntryOf, JournalEntry } from "../domain/journal-entry.ts";
import { nodeDisk } from "./disk.ts";
import type { SessionPaths } from "./paths.ts";
import type { PlacedMessage } from "./ranges.ts";
import { findJournal } from "./read-files.ts";
import type { ReadRecords } from "./read-journal.ts";
import { emptyReplay, replayRecords } from "./replay.ts";

export interface ChangeLedger {
  /** The last turn of the conversation as it is now. */
  readonly tip: LedgerTurn | null;
  /** Oldest first. */
  readonly restores: readonly LedgerRestore[];
  /** Those that were begun, whether they were finished or not. */
  readonly begun: ReadonlyMap<RestoreId, RestoreFacts>;
  readonly now: PastHistory;
  /** The session is a copy of this one, in which everything before was done. */
  readonly forkedFrom: SessionId | null;
}

export interface LedgerTurn {
  readonly requestId: RequestId;
  /** "" where its record is lost. */
  readonly prompt: Content;
  readonly at: string;
  readonly parent: LedgerTurn | null;
  /** The conversation before the prompt; null where the journal no longer knows it. */
  readonly before: PastHistory | null;
  /** In the order in which they were found. */
  readonly files: readonly LedgerFiles[];
}

export interface LedgerFiles {
  /** Null: somebody else changed them meanwhile. */
  readonly call: { readonly key: CallKey; readonly toolCallId: ToolCallId } | null;
  readonly changes: readonly FileChange[];
  /** Counts through all turns: what a background job changed may come after the changes of a later turn. */
  readonly order: number;
}

export interface LedgerRestore {
  readonly facts: RestoreFacts;
  /** What it did to the files. */
  readonly changes: readonly FileChange[];
  /** The conversation that it found, and its last turn. */
  readonly before: PastHistory | null;
  readonly left: LedgerTurn | null;
  /** The last turn of the conversation that it made the current one. */
  readonly ledTo: LedgerTurn | null;
}

/** The list may go on growing: the history is its beginning. */
export interface PastHistory {
  readonly list: readonly PlacedMessage[];
  readonly length: number;
}

export const EMPTY_LEDGER: ChangeLedger = {
  tip: null,
  restores: [],
  begun: new Map(),
  now: { list: [], length: 0 },
  forkedFrom: null,
};

/** Null: there is no journal that can be read. `root`: the project in which somebody wants to know it. */
export async function loadLedger(paths: SessionPaths, root: string): Promise<ChangeLedger | null> {
  const found = await findJournal(nodeDisk, paths.journal);
  return found.status === "good" ? readLedger(found.read, root) : null;
}

export function readLedger(read: ReadRecords, root: string): ChangeLedger {
  const ledger = new LedgerFold(root);
  replayRecords(emptyReplay(), read, (entry, history) => ledger.fold(entry, history));
  const { tip, restores, begun, now, forkedFrom } = ledger;
  return { tip, restores, begun, now, forkedFrom };
}

/** The project's folder when files were last changed; null: none were. */
export async function lastRoot(paths: SessionPaths): Promise<string | null> {
  const found = await findJournal(nodeDisk, paths.journal);
  let last: string | null = null;
  if (found.status === "good")
    replayRecords(emptyReplay(), found.read, (entry) => {
      if (entry.kind === "files") last = entry.root ?? last;
    });
  return last;
}

/** The calls and restores whose changes are taken back now. A restore that was taken back itself takes nothing back. */
export function takenBack(restores: readonly RestoreFacts[]): ReadonlySet<CallKey | RestoreId> {
  const taken = new Set<string>();
  for (const { restoreId, takesBack } of restores.toReversed())
    if (!taken.has(restoreId)) for (const id of takesBack) taken.add(id);
  return taken;
}

/**
 * What a journal that is written anew keeps of the old one, before its second header: everything but the conversations,
 * which are no longer known then.
 */
export function ledgerEntries(read: ReadRecords): readonly JournalEntry[] {
  const kept: JournalEntry[] = [];
  replayRecords(emptyReplay(), read, (entry) => {
    if (entry.kind === "prompt") kept.push({ ...entry, index: 0 });
    if (entry.kind === "restore") kept.push({ ...entry, history: [], count: 0, replacements: 0 });
    if (entry.kind === "started" || entry.kind === "files" || entry.kind === "restoring") kept.push(entry);
  });
  return kept;
}

/** From the first turn to this one. */
export function lineTo(tip: LedgerTurn | null): readonly LedgerTurn[] {
  const line: LedgerTurn[] = [];
  for (let turn = tip; turn !== null; turn = turn.parent) line.push(turn);
  return line.reverse();
}

type OpenTurn = { -readonly [Key in keyof LedgerTurn]: LedgerTurn[Key] } & {
  readonly files: LedgerFiles[];
  parent: OpenTurn | null;
  isAnswered: boolean;
};

interface OpenRestore extends LedgerRestore {
  readonly left: OpenTurn | null;
  ledTo: OpenTurn | null;
  before: PastHistory | null;
}

/**
 * A session may have worked in another folder than this one, and its paths must not be taken for those here. If that
 * folder is gone, it was moved to where the person goes on with the session.
 */
function seenFrom(root: string, then: string, changes: readonly FileChange[]): readonly FileChange[] {
  if (root === then || !existsSync(then)) return changes;
  return changes.map((change) => {
    const path = resolve(then, change.path);
    return { ...change, path: path !== root && isWithin(path, root) ? relative(root, path) : path };
  });
}

class LedgerFold {
  readonly #root: string;
  readonly restores: OpenRestore[] = [];
  readonly begun = new Map<RestoreId, RestoreFacts>();
  tip: OpenTurn | null = null;
  now: PastHistory = { list: [], length: 0 };
  forkedFrom: SessionId | null = null;
  readonly #turns = new Map<RequestId, OpenTurn>();
  /** The turn in which a call was last started. */
  readonly #callers = new Map<ToolCallId, OpenTurn>();
  readonly #restored = new Map<RestoreId, Map<string, FileChange>>();
  #order = 0;

  constructor(root: string) {
    this.#root = root;
  }

  fold(entry: JournalEntry, history: readonly PlacedMessage[]): void {
    const before = this.now;
    this.now = { list: history, length: history.length };
    switch (entry.kind) {
      case "header":
        this.#beginAnew(entry);
        return;
      case "prompt":
        // A prompt that was open when the journal was written anew is in it twice.
        if (this.tip?.requestId === entry.requestId) this.tip.before = this.now;
        else this.tip = this.#newTurn(entry, this.now);
        return;
      case "message":
        if (entry.message.kind === "response" && this.tip !== null) this.tip.isAnswered = true;
        return;
      case "repair":
        if (this.now.length < before.length) this.#replaceUnanswered();
        return;
      case "started":
        if (this.tip !== null) this.#callers.set(entry.toolCallId, this.tip);
        return;
      case "files":
        this.#addFiles(entry);
        return;
      case "restoring":
        this.begun.set(entry.restore.restoreId, entry.restore);
        return;
      case "restore":
        this.#addRestore(entry.restore, before);
        return;
      default:
        return;
    }
  }

  /** A journal that was written anew begins with what is kept of the old one, but not with its conversations. */
  #beginAnew({ forkedFrom }: EntryOf<"header">): void {
    this.forkedFrom = forkedFrom ?? null;
    for (const turn of this.#turns.values()) turn.before = null;
    for (const restore of this.restores) restore.before = null;
  }

  #newTurn(
    { requestId, content: prompt, at }: Pick<EntryOf<"prompt">, "requestId" | "content" | "at">,
    before: PastHistory | null,
  ): OpenTurn {
    const turn = { requestId, prompt, at, parent: this.tip, before, files: [], isAnswered: false };
    this.#turns.set(requestId, turn);
    return turn;
  }

  /** The person sent a prompt again that nobody had answered, and it replaced that one: they are one turn. */
  #replaceUnanswered(): void {
    const [turn, replaced] = [this.tip, this.tip?.parent];
    if (!turn || !replaced || turn.isAnswered || replaced.isAnswered) return;
    turn.parent = replaced.parent;
    turn.before = replaced.before;
    turn.files.unshift(...replaced.files);
  }

  #addFiles({ requestId, by, root, changes: recorded }: EntryOf<"files">): void {
    const order = this.#order++;
    const changes = seenFrom(this.#root, root ?? this.#root, recorded);
    if (by.type === "restore") {
      // A restore changes each file once. After a kill it may be written down a second time.
      const known = this.#restored.get(by.restoreId) ?? new Map<string, FileChange>();
      for (const change of changes) known.set(change.path, change);
      this.#restored.set(by.restoreId, known);
      return;
    }
    if (by.type === "other") {
      const turn = this.#turns.get(requestId) ?? this.tip;
      turn?.files.push({ call: null, changes, order });
      return;
    }
    const { toolCallId } = by;
    const turn = this.#callers.get(toolCallId) ?? this.#turns.get(requestId) ?? this.#lostTurn(requestId);
    const key: CallKey = `${turn.requestId}/${toolCallId}`;
    turn.files.push({ call: { key, toolCallId }, changes, order });
  }

  /** The record of its prompt is damaged; what it changed can still be taken back. */
  #lostTurn(requestId: RequestId): OpenTurn {
    this.tip = this.#newTurn({ requestId, content: "", at: "" }, null);
    return this.tip;
  }

  #addRestore(facts: RestoreFacts, before: PastHistory): void {
    const changes = [...(this.#restored.get(facts.restoreId)?.values() ?? [])];
    const left = this.tip;
    this.#moveTo(facts);
    this.restores.push({ facts, changes, before, left, ledTo: this.tip });
  }

  #moveTo({ backTo }: RestoreFacts): void {
    if (backTo === null) return;
    const restore = this.restores.find((earlier) => earlier.facts.restoreId === backTo);
    const turn = this.#turns.get(backTo);
    if (restore !== undefined) this.tip = restore.left;
    else if (turn !== undefined) this.tip = turn.parent;
    // That record is damaged: the turns that began within what is left are those that are left.
    else
      while (this.tip !== null && (this.tip.before?.length ?? 0) >= this.now.length)
        this.tip = this.tip.parent;
  }
}
