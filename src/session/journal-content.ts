// What a session's journal holds, as its recorder knows it: which record holds which message, the next number, and what
// is still open. The messages themselves are in the conversation.
import type { Mask } from "../base/secrets.ts";
import type { EntryOf, JournalEntry, Rewrite, Sequence } from "../domain/journal-entry.ts";
import type { Message } from "../domain/message.ts";
import { isAnswer, type Part } from "../domain/part.ts";
import type { Unwritten } from "./journal.ts";
import { FIRST_FORMAT } from "./line.ts";
import { type PlacedMessage, toRanges } from "./ranges.ts";
import type { SnapshotCoverage } from "./snapshot.ts";
import { encodeEntry } from "./stored-entry.ts";

type OpenEntry = EntryOf<"prompt" | "started" | "settled">;

export class JournalContent {
  readonly #mask: Mask;
  #nextSeq: Sequence = 1;
  /** The record of each message of the history. */
  #numbers = new Map<Message, Sequence>();
  /** How long the history in the journal is. */
  #length = 0;
  /** Results that a message may refer to; they are in the same file. */
  #settled = new WeakMap<Part, Sequence>();
  /** Numbers have been used in a file. */
  #begun = false;
  /** What no message has taken up yet. */
  #open: readonly OpenEntry[] = [];

  constructor(mask: Mask) {
    this.#mask = mask;
  }

  /** Continues what was loaded. Messages that a bridge made are in no record yet. */
  resume(nextSeq: Sequence, history: readonly PlacedMessage[], prompt: EntryOf<"prompt"> | undefined): void {
    const recorded = history.filter((placed) => placed.made !== true);
    this.#numbers = new Map(recorded.map(({ message, seq }) => [message, seq]));
    this.#length = recorded.length;
    this.#nextSeq = nextSeq;
    this.#begun = nextSeq > 1;
    this.#open = prompt === undefined ? [] : [prompt];
  }

  get length(): number {
    return this.#length;
  }

  /** Whether these are the messages of the history, in this order. The numbers are in the order of the history. */
  isRecorded(messages: readonly Message[]): boolean {
    if (messages.length !== this.#length) return false;
    let at = 0;
    for (const message of this.#numbers.keys()) if (message !== messages[at++]) return false;
    return true;
  }

  /** The messages of the history, by their records. */
  recorded(): ReadonlyMap<Sequence, Message> {
    return new Map([...this.#numbers].map(([message, seq]) => [seq, message]));
  }

  /** The coverage for a snapshot of these messages. */
  placeOf(messages: readonly Message[]): Omit<SnapshotCoverage, "epoch" | "offset"> {
    const prompt = this.#open.find((entry) => entry.kind === "prompt");
    return {
      // A snapshot has the conversation as it is, whatever led to it.
      format: FIRST_FORMAT,
      seq: this.#nextSeq - 1,
      sequences: messages.map((message) => this.#numbers.get(message) ?? 0),
      ...(prompt === undefined ? {} : { prompt: encodeEntry(prompt, () => undefined) }),
    };
  }

  /** The records of what has joined the history since. */
  addMessages(history: readonly Message[]): Unwritten[] {
    const from = this.#length;
    return this.add(
      history.slice(from).map((message, at) => ({ kind: "message", index: from + at, message })),
    );
  }

  /** The records of these entries, numbered and remembered. */
  add(entries: readonly JournalEntry[]): Unwritten[] {
    return entries.map((entry) => {
      const record = this.#encode(entry);
      this.#remember(entry, record.seq);
      return record;
    });
  }

  /** A rewrite costs the messages that are new; the others are named by their numbers. */
  rewrite(messages: readonly Message[], make: (rewrite: Rewrite) => JournalEntry): Unwritten[] {
    // A message that had left the history is new again: a reader no longer looks for it.
    const known = new Map(this.#numbers);
    const fresh = messages.filter((message) => !known.has(message));
    const records = fresh.map((message) => {
      const record = this.#encode({ kind: "replacement", message });
      known.set(message, record.seq);
      return record;
    });
    const numbers = messages.map((message) => known.get(message) ?? 0);
    const history = toRanges(numbers, [...known.values()]);
    const entry = make({ history, count: messages.length, replacements: fresh.length });
    const rewrite = this.#encode(entry);
    this.#numbers = new Map(messages.map((message, at) => [message, numbers[at] ?? 0]));
    this.#length = messages.length;
    this.#remember(entry, rewrite.seq);
    return [...records, rewrite];
  }

  /** For a new journal: `head`, the history, and what is still open. Numbers continue, so that none is used twice. */
  whole(head: readonly JournalEntry[], history: readonly Message[]): Unwritten[] {
    if (!this.#begun) this.#nextSeq = 1;
    this.#begun = true;
    this.#settled = new WeakMap();
    const first = head.map((entry) => this.#encode(entry));
    const messages = history.map((message, index) => this.#encode({ kind: "message", index, message }));
    this.#numbers = new Map(history.map((message, at) => [message, messages[at]?.seq ?? 0]));
    this.#length = history.length;
    const index = this.#length;
    const open = this.#open.map((entry) =>
      this.#encode(entry.kind === "prompt" ? { ...entry, index } : entry),
    );
    return [...first, ...messages, ...open];
  }

  #encode(entry: JournalEntry): Unwritten {
    const seq = this.#nextSeq++;
    const body = this.#mask(JSON.stringify(encodeEntry(entry, (part) => this.#settled.get(part))));
    if (entry.kind === "settled") this.#settled.set(entry.result, seq);
    return { seq, body };
  }

  #remember(entry: JournalEntry, seq: Sequence): void {
    switch (entry.kind) {
      case "prompt":
        this.#open = [entry];
        return;
      case "started":
      case "settled":
        this.#open = [...this.#open, entry];
        return;
      case "message":
        this.#numbers.set(entry.message, seq);
        this.#length++;
        if (entry.message.kind === "response" || entry.message.parts.some(isAnswer)) this.#open = [];
        return;
      case "interrupted":
      case "restore":
        this.#open = [];
        return;
      default:
        return;
    }
  }
}
