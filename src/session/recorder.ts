// Writes down what happens in a session, as it happens: events become entries, entries become records, and records wait
// for the disk in the save queue. Reads the conversation, into which each event was folded before it gets here.
import type { Mask } from "../base/secrets.ts";
import type { Content } from "../domain/content.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { RestoreFacts } from "../domain/file-change.ts";
import type { ModelName, RequestId } from "../domain/ids.ts";
import type { EntryOf, JournalEntry, Rewrite, Sequence } from "../domain/journal-entry.ts";
import type { Message } from "../domain/message.ts";
import { entriesOf, firstEntries, rewriteOf } from "./event-entries.ts";
import type { Journal, Unwritten } from "./journal.ts";
import { JournalContent } from "./journal-content.ts";
import type { LoadedSession } from "./load.ts";
import { PartialText } from "./partial-text.ts";
import { setTitle, touch } from "./reduce.ts";
import { SaveQueue, type SaveQueueOptions, type SaveStatus } from "./save-queue.ts";
import type { SnapshotCoverage } from "./snapshot.ts";
import type { SessionState } from "./state.ts";
import { titleOf } from "./title.ts";

interface RecorderOptions extends Pick<SaveQueueOptions, "fork" | "onStatus"> {
  readonly mask: Mask;
  readonly now: () => Date;
}

export class Recorder {
  readonly #state: SessionState;
  readonly #options: RecorderOptions;
  readonly #content: JournalContent;
  readonly #queue: SaveQueue;
  readonly #partial: PartialText;
  #header: EntryOf<"header">;
  #recordedModel: ModelName;
  #written = 0;
  /** What a journal that is written anew says before everything else. */
  #kept: readonly JournalEntry[] = [];
  /** What changed on disk and may not be saved yet: neither the messages nor the state have it. */
  #changes: readonly JournalEntry[] = [];
  /** The history as it was loaded, for as long as that is what the journal has to hold. */
  #unrecovered: readonly Message[] | undefined;

  constructor(state: SessionState, header: EntryOf<"header">, journal: Journal, options: RecorderOptions) {
    this.#state = state;
    this.#header = header;
    this.#recordedModel = state.currentModel;
    this.#options = options;
    this.#content = new JournalContent(options.mask);
    this.#queue = new SaveQueue(journal, { ...options, whole: () => this.#whole() });
    this.#partial = new PartialText(options.mask, (offset, text) => {
      void this.#push([{ kind: "partial", offset, text }], false);
    });
  }

  get status(): SaveStatus {
    return this.#queue.status;
  }

  /** How many characters have been recorded so far. */
  get written(): number {
    return this.#written;
  }

  /** Takes up a loaded session: says so in the journal, together with what its recovery changed. */
  async resume({ replayed, recovered, nextSeq, snapshotSeq, hasJournal }: LoadedSession): Promise<void> {
    const { messages, report } = recovered;
    this.#content.resume(nextSeq, replayed.history, replayed.prompt);
    const unchanged = this.#content.isRecorded(messages);
    if (!hasJournal) this.#queue.beginAnew();
    // A new journal first holds what was loaded, and then what recovery made of it.
    this.#unrecovered = replayed.history.flatMap(({ message, made }) => (made === true ? [] : [message]));
    // Others have to see it, but it need not survive a crash: recovery would do the same again.
    await this.#save(this.#content.add([{ kind: "opened", at: this.#now() }]), false);
    this.#unrecovered = undefined;
    // A session that was only opened needs no new snapshot.
    if (snapshotSeq > 0 && hasJournal) this.#written = 0;
    if (unchanged) return;
    const why = [...report.notes, ...report.repairs].map((found) => found.why);
    const make = (rewrite: Rewrite) => ({ kind: "interrupted", ...rewrite, why }) as const;
    await this.#save(this.#content.rewrite(messages, make), false);
  }

  /** Writes down the state as it is: the beginning of a fork. */
  async adopt(): Promise<void> {
    await this.#save([], true);
  }

  /** Makes a person's words safe before anything is sent. */
  async prompt(content: Content, requestId: RequestId): Promise<void> {
    const at = this.#now();
    const entries: JournalEntry[] = [];
    if (this.#state.title === "") {
      setTitle(this.#state, titleOf(content));
      entries.push({ kind: "title", text: this.#state.title });
    }
    entries.push({ kind: "prompt", index: this.#history.length, requestId, content, at });
    touch(this.#state, at);
    await this.#push(entries, true);
  }

  async record(event: AgentEvent): Promise<void> {
    switch (event.type) {
      case "text-delta":
        return this.#partial.add(event.text);
      case "request-start":
        return this.model(event.model);
      case "repair":
      case "compaction":
      case "restored":
        return this.#save(this.#content.rewrite(event.messages, rewriteOf(event)), true);
      case "node-start":
        this.#partial.reset();
        // The usage of an empty response is held back, and no message is going to write it.
        return this.#queue.flush(false);
      case "message-end":
      case "request-end":
        this.#partial.reset();
    }
    const found = entriesOf(event, {
      index: this.#history.length,
      at: this.#now(),
      requestId: this.#state.runtime.requestId,
    });
    if (event.type === "files-changed") this.#changes = [...this.#changes, ...(found?.entries ?? [])];
    if (found?.how === "hold") this.#queue.hold(this.#counted(this.#content.add(found.entries)));
    else if (found !== null) await this.#push(found.entries, found.how === "sync");
    if (this.status.type === "saved") this.#changes = [];
  }

  /** Before files are touched: the next start has to know what a killed process was about. */
  restoring(restore: RestoreFacts): Promise<void> {
    return this.#push([{ kind: "restoring", restore }], true);
  }

  /** The messages of the conversation, by their records. */
  recorded(): ReadonlyMap<Sequence, Message> {
    return this.#content.recorded();
  }

  async model(name: ModelName): Promise<void> {
    if (name === this.#recordedModel) return;
    this.#recordedModel = name;
    await this.#push([{ kind: "model", name }], false);
  }

  title(text: string): Promise<void> {
    return this.#push([{ kind: "title", text }], true);
  }

  /** Writes a new journal without the damage of the old one, which is kept aside. `kept`: entries of that one. */
  renew(kept: readonly JournalEntry[]): Promise<void> {
    this.#kept = kept;
    this.#queue.beginAnew();
    return this.#save([], true);
  }

  /** The messages as they are now and their place in the journal; undefined while that is uncertain. */
  async position(): Promise<{ messages: readonly Message[]; coverage: SnapshotCoverage } | undefined> {
    await this.catchUp();
    await this.#queue.flush(false);
    const messages = this.#history.slice();
    const { journal } = this.#queue;
    const { epoch } = journal;
    const place = this.#content.placeOf(messages);
    const offset = await journal.end();
    if (offset === undefined || this.status.type !== "saved") return undefined;
    return { messages, coverage: { ...place, epoch, offset } };
  }

  /** Before the end: drops streamed text, and writes what has joined the conversation without an event. */
  async settle(): Promise<void> {
    this.#partial.reset();
    await this.catchUp();
  }

  /** `isSafe`: a snapshot holds everything. */
  async close(isSafe: boolean): Promise<void> {
    if (!isSafe) await this.#queue.flush(true);
    this.#queue.close();
    await this.#queue.journal.release();
  }

  /** Writes the messages that joined the conversation without an event. */
  async catchUp(): Promise<void> {
    if (this.#content.length < this.#history.length) await this.#push([], true);
  }

  /** The same, and finds out whether another window has taken the session over. */
  async confirm(): Promise<void> {
    const sync = this.#content.length < this.#history.length;
    if (this.#history.length > 0) await this.#push([], sync);
  }

  get #history(): readonly Message[] {
    return this.#state.conversation.messages;
  }

  #now(): string {
    return this.#options.now().toISOString();
  }

  /** First come the messages that have joined the conversation since: those from outside the request have no event. */
  #push(entries: readonly JournalEntry[], sync: boolean): Promise<void> {
    return this.#save([...this.#content.addMessages(this.#history), ...this.#content.add(entries)], sync);
  }

  #save(records: readonly Unwritten[], sync: boolean): Promise<void> {
    return this.#queue.push(this.#counted(records), sync);
  }

  #counted(records: readonly Unwritten[]): readonly Unwritten[] {
    for (const { body } of records) this.#written += body.length;
    return records;
  }

  #whole(): readonly Unwritten[] {
    const { sessionId, currentModel } = this.#state;
    this.#recordedModel = currentModel;
    if (sessionId !== this.#header.sessionId) {
      // What was changed before belongs to the session that this is a copy of.
      this.#kept = [];
      this.#header = { ...this.#header, sessionId, forkedFrom: this.#header.sessionId };
    }
    const first = firstEntries(this.#state, this.#header, this.#now());
    // A second header ends what is kept: a reader begins with the conversation there.
    const kept = this.#kept.length === 0 ? [] : [{ ...this.#header, model: currentModel }, ...this.#kept];
    const whole = this.#content.whole([...kept, ...first], this.#unrecovered ?? this.#history);
    return [...whole, ...this.#content.add(this.#changes)];
  }
}
