// Folds the records of a journal into the conversation that they tell. Trusts nothing: unknown kinds are skipped, and
// messages whose records are missing are bridged and counted.
import { never } from "../base/never.ts";
import { untoldAfter } from "../domain/file-change.ts";
import type { ModelName } from "../domain/ids.ts";
import type { EntryOf, JournalEntry, Rewrite, Sequence } from "../domain/journal-entry.ts";
import { addWork, NO_WORK, type Work } from "../domain/limits.ts";
import { hasUserPrompt, type Message } from "../domain/message.ts";
import { isAnswer, type ToolReturnPart } from "../domain/part.ts";
import type { Review } from "../domain/review.ts";
import { formsAfterRewrite, type SimplerForm, withForm } from "../domain/simpler-form.ts";
import { addUsage, NO_USAGE, type UsageTotals } from "../domain/usage.ts";
import { bridge } from "./bridge.ts";
import type { JournalRecord } from "./line.ts";
import { type PlacedMessage, selectRanges } from "./ranges.ts";
import type { ReadRecords } from "./read-journal.ts";
import type { RecoveryNote } from "./report.ts";
import { decodeEntry } from "./stored-entry.ts";

export interface Replayed {
  header?: EntryOf<"header">;
  history: PlacedMessage[];
  thoughts: string[];
  forms: readonly SimplerForm[];
  reviews: Review[];
  untold: readonly string[];
  usage: { lastCall: UsageTotals; sessionTotal: UsageTotals };
  work: Work;
  title: string;
  model: ModelName;
  lastModified: string;
  /** The text of a stream that no message has superseded. */
  partial: string;
  /** The last prompt that no response has answered. */
  prompt?: EntryOf<"prompt">;
  /** A message of the history holds that prompt. */
  promptTaken: boolean;
  started: Set<string>;
  settled: Map<string, ToolReturnPart>;
  notes: RecoveryNote[];
}

/** Called after each entry, with the history that it left; between rewrites that list only grows. */
export type OnEntry = (entry: JournalEntry, history: readonly PlacedMessage[]) => void;

export function emptyReplay(): Replayed {
  return {
    history: [],
    thoughts: [],
    forms: [],
    reviews: [],
    untold: [],
    usage: { lastCall: NO_USAGE, sessionTotal: NO_USAGE },
    work: NO_WORK,
    title: "",
    model: "",
    lastModified: "",
    partial: "",
    promptTaken: false,
    started: new Set(),
    settled: new Map(),
    notes: [],
  };
}

/** Folds the records onto `state`, which is empty or what a snapshot held. */
export function replayRecords(state: Replayed, read: ReadRecords, onEntry: OnEntry = () => {}): Replayed {
  const { records, missing, notes } = read;
  state.notes.push(...notes);
  const fold: Fold = { state, missing, drift: 0, replacements: [], settledRecords: new Map() };
  const readSettled = (seq: Sequence) => fold.settledRecords.get(seq);
  for (const record of records) {
    const entry = decodeEntry(record, readSettled);
    if (entry === "unreadable") state.notes.push(unreadable(record));
    if (entry === "unreadable" || entry === "unknown") continue;
    apply(fold, entry, record);
    onEntry(entry, state.history);
  }
  return state;
}

interface Fold {
  readonly state: Replayed;
  readonly missing: ReadonlySet<Sequence>;
  /** How much longer the history is than its writer believed, because of bridges or a lost rewrite. */
  drift: number;
  replacements: PlacedMessage[];
  readonly settledRecords: Map<Sequence, ToolReturnPart>;
}

function apply(fold: Fold, entry: JournalEntry, { seq }: JournalRecord): void {
  const { state } = fold;
  switch (entry.kind) {
    case "header":
      // The whole history follows.
      Object.assign(state, emptyReplay(), { notes: state.notes, header: entry });
      delete state.prompt;
      state.model = entry.model;
      state.lastModified = entry.createdAt;
      fold.drift = 0;
      return;
    case "opened":
      state.lastModified = entry.at;
      return;
    case "title":
      state.title = entry.text;
      return;
    case "model":
      state.model = entry.name;
      return;
    case "prompt":
      fillHole(fold, entry.index, undefined, seq);
      state.prompt = entry;
      state.promptTaken = false;
      state.lastModified = entry.at;
      state.partial = "";
      state.started.clear();
      state.settled.clear();
      return;
    case "message":
      fillHole(fold, entry.index, entry.message, seq);
      state.history.push({ seq, message: entry.message });
      state.partial = "";
      takeUp(state, entry.message);
      return;
    case "replacement":
      fold.replacements.push({ seq, message: entry.message });
      return;
    case "partial":
      state.partial = joined(state.partial, entry.offset, entry.text);
      return;
    case "started":
      state.started.add(entry.toolCallId);
      return;
    case "settled":
      state.settled.set(entry.result.toolCallId, entry.result);
      fold.settledRecords.set(seq, entry.result);
      return;
    case "thought":
      state.thoughts.push(entry.text);
      return;
    case "usage":
      state.usage = {
        lastCall: entry.byTool === true ? state.usage.lastCall : entry.call,
        sessionTotal: addUsage(state.usage.sessionTotal, entry.call),
      };
      return;
    case "repair":
    case "compaction":
      rewrite(fold, entry, seq);
      return;
    case "restore":
      rewrite(fold, entry, seq);
      delete state.prompt;
      state.started.clear();
      state.settled.clear();
      state.lastModified = entry.restore.at;
      state.untold = untoldAfter(entry.restore, state.untold);
      return;
    case "restoring":
    case "files":
      // Read from the journal when somebody wants something back.
      return;
    case "form":
      state.forms = withForm(state.forms, entry.form);
      return;
    case "review":
      state.reviews.push(entry.review);
      return;
    case "interrupted":
      rewrite(fold, entry, seq);
      // An earlier version took an unanswered prompt out of the history.
      if (entry.unsent) state.promptTaken = false;
      else delete state.prompt;
      state.started.clear();
      state.settled.clear();
      return;
    case "end":
      fillHole(fold, entry.index, undefined, seq);
      state.partial = "";
      state.lastModified = entry.at;
      if (entry.work !== undefined) state.work = addWork(state.work, entry.work);
      return;
    default:
      never(entry);
  }
}

function toMessages(history: readonly PlacedMessage[]): readonly Message[] {
  return history.map(({ message }) => message);
}

function takeUp(state: Replayed, message: Message): void {
  if (message.kind === "response") {
    delete state.prompt;
    return;
  }
  if (hasUserPrompt(message)) {
    state.promptTaken = true;
    state.untold = [];
  }
  for (const part of message.parts) if (isAnswer(part)) state.settled.delete(part.toolCallId);
}

/** Bridges the messages that are missing before this record. */
function fillHole(fold: Fold, index: number, next: Message | undefined, seq: Sequence): void {
  const { state } = fold;
  const lost = index + fold.drift - state.history.length;
  if (lost < 0) fold.drift -= lost;
  if (lost <= 0) return;
  const { settled, partial } = state;
  const prompt = state.promptTaken ? undefined : state.prompt?.content;
  const filled = bridge(state.history.at(-1)?.message, next, lost, { prompt, settled, partial });
  // Numbered between the records around it, so that a later rewrite takes it along.
  filled.forEach((message, at) => {
    takeUp(state, message);
    state.history.push({ seq: seq - 1 + (at + 1) / (filled.length + 1), message, made: true });
  });
  fold.drift += filled.length - lost;
  const what = lost === 1 ? "1 message is" : `${lost} messages are`;
  state.notes.push({ kind: "lost-messages", seq, why: `${what} missing before record ${seq}: bridged.` });
}

function rewrite(fold: Fold, entry: Rewrite, seq: Sequence): void {
  const { state } = fold;
  const known = [...state.history, ...fold.replacements];
  const lost = [...fold.missing].filter((number) => number < seq && number >= seq - entry.replacements);
  for (const number of lost) {
    known.push({ seq: number, message: HOLE, made: true });
    state.notes.push({ kind: "lost-messages", seq, why: `Record ${seq} needs the lost record ${number}.` });
  }
  const selected = selectRanges(known, entry.history);
  const before = toMessages(state.history);
  state.history = lost.length === 0 ? selected : selected.flatMap(bridgeHole);
  state.forms = formsAfterRewrite(state.forms, before, toMessages(state.history));
  state.partial = "";
  fold.replacements = [];
  fold.drift = state.history.length - entry.count;
}

/** Stands for a message whose record is gone, until its neighbours are known. */
const HOLE: Message = { kind: "response", parts: [] };

function bridgeHole(placed: PlacedMessage, at: number, all: readonly PlacedMessage[]): PlacedMessage[] {
  if (placed.message !== HOLE) return [placed];
  const known = { prompt: undefined, settled: new Map(), partial: "" };
  const filled = bridge(all[at - 1]?.message, all[at + 1]?.message, 1, known);
  return filled.map((message) => ({ ...placed, message }));
}

/** A lost piece in the middle leaves a visible gap. */
function joined(text: string, offset: number, more: string): string {
  return offset <= text.length ? text.slice(0, offset) + more : `${text} [...] ${more}`;
}

function unreadable({ seq, kind }: JournalRecord): RecoveryNote {
  return { kind: "unreadable-record", seq, why: `Record ${seq} (${kind}) can't be understood: skipped.` };
}
