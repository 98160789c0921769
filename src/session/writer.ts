// Writes down what happens in a session, as it happens. Whoever runs a request waits for `record` before asking
// for the next event: that is what makes it durable. Nothing here ever fails a conversation.
import type { Mask } from "../base/secrets.ts";
import type { Content } from "../domain/content.ts";
import type { AgentEvent } from "../domain/event.ts";
import { type ModelName, newSessionId, type RequestId, type SessionId } from "../domain/ids.ts";
import type { Message } from "../domain/message.ts";
import type { EntryOf, Sequence, SessionEntry } from "../domain/session-entry.ts";
import { NO_USAGE } from "../domain/usage.ts";
import type { Disk } from "./disk.ts";
import { encodeEntry } from "./encode-entry.ts";
import { entriesOf } from "./event-entries.ts";
import { Journal, type Unwritten } from "./journal.ts";
import { JournalContent } from "./journal-content.ts";
import type { LoadedSession } from "./load.ts";
import { PartialText } from "./partial-text.ts";
import { type SessionPaths, sessionPaths } from "./paths.ts";
import { isSameHistory } from "./same-history.ts";
import { SaveQueue, type SaveStatus, tell } from "./save-queue.ts";
import { encodeSnapshot } from "./snapshot.ts";
import { writeSpill } from "./spill.ts";
import type { SessionState } from "./state.ts";
import { titleOf } from "./title.ts";
import { replaceFile } from "./whole-file.ts";

export interface WriterOptions {
  readonly disk: Disk;
  readonly mask: Mask;
  readonly now: () => Date;
  /** Disk trouble, and its end. */
  readonly onStatus: (status: SaveStatus) => void;
  /** Another window took the session over; this one goes on in a fork with the new id. */
  readonly onFork: (from: SessionId, to: SessionId) => void;
}

/** A snapshot in between pays once the journal has grown by as much again. */
const SMALLEST_GROWTH = 1_000_000;

export class SessionWriter {
  readonly #state: SessionState;
  readonly #options: WriterOptions;
  readonly #content: JournalContent;
  readonly #queue: SaveQueue;
  readonly #partial: PartialText;
  #header: EntryOf<"header">;
  #recordedModel: ModelName;
  /** Characters written since the last snapshot, and how many that had. */
  #growth = 0;
  #snapshotSize = 0;
  #snapshotAllowed = true;
  #inRequest = false;

  constructor(state: SessionState, header: EntryOf<"header">, journal: Journal, options: WriterOptions) {
    this.#state = state;
    this.#header = header;
    this.#recordedModel = state.currentModel;
    this.#options = options;
    this.#content = new JournalContent(options.mask);
    this.#queue = new SaveQueue(journal, {
      whole: () => this.#whole(),
      fork: () => this.#fork(),
      onStatus: options.onStatus,
    });
    this.#partial = new PartialText(options.mask, (offset, text) => {
      void this.#push([{ kind: "partial", offset, text }], false);
    });
  }

  get status(): SaveStatus {
    return this.#queue.status;
  }

  get paths(): SessionPaths {
    return this.#queue.journal.paths;
  }

  /** Takes up a loaded session: says so in the journal, together with what its recovery changed. */
  async resume(loaded: LoadedSession, snapshotAllowed: boolean): Promise<void> {
    const { replayed, recovered, nextSeq, snapshotSeq, journal } = loaded;
    this.#snapshotAllowed = snapshotAllowed;
    this.#content.resume(nextSeq, replayed.history, replayed.prompt);
    // Others have to see it, but it need not survive: what recovery did would simply be done again.
    await this.#push([{ kind: "opened", at: this.#now() }], false);
    if (snapshotSeq > 0 && journal !== undefined) this.#growth = 0;
    const { messages, report, unsentPrompt } = recovered;
    const unchanged = isSameHistory(messages, this.#content.history);
    if (unchanged && (replayed.prompt === undefined || unsentPrompt !== undefined)) return;
    if (unsentPrompt !== undefined && replayed.prompt === undefined) await this.#keepUnsent(unsentPrompt);
    const why = [...report.notes, ...report.repairs].map((found) => found.why);
    const unsent = unsentPrompt !== undefined;
    await this.#rewrite(messages, (rewrite) => ({ kind: "interrupted", ...rewrite, why, unsent }), false);
  }

  /** Writes down the state as it is: the beginning of a fork. */
  async adopt(unsentPrompt: Content | undefined): Promise<void> {
    const placed = this.#state.conversation.messages.map((message) => ({ seq: 0, message }));
    this.#content.resume(1, placed, undefined);
    if (unsentPrompt !== undefined) await this.#keepUnsent(unsentPrompt);
    await this.#save([], true);
  }

  /** A person's words, safe before anything is sent. */
  async prompt(content: Content, requestId: RequestId): Promise<void> {
    const at = this.#now();
    const entries: SessionEntry[] = [];
    if (this.#state.title === "") {
      this.#state.title = titleOf(content);
      entries.push({ kind: "title", text: this.#state.title });
    }
    entries.push({ kind: "prompt", index: this.#content.history.length, requestId, content, at });
    this.#state.lastModified = at;
    await this.#push(entries, true);
  }

  async record(event: AgentEvent): Promise<void> {
    switch (event.type) {
      case "text-delta":
        return this.#partial.add(event.text);
      case "request-start":
        return this.#recordModel(event.model);
      case "node-start":
        this.#partial.reset();
        // A response that said nothing still had a price.
        return this.#queue.write();
      case "repair": {
        const { repairs } = event;
        return this.#rewrite(event.messages, (rewrite) => ({ kind: "repair", ...rewrite, repairs }));
      }
      case "compaction": {
        const { tokensBefore, tokensAfter, summary } = event;
        const details = { tokensBefore, tokensAfter, summary };
        return this.#rewrite(event.messages, (rewrite) => ({ kind: "compaction", ...rewrite, ...details }));
      }
      case "message-end":
        this.#partial.reset();
        this.#inRequest = true;
        break;
      case "request-end":
        this.#partial.reset();
        await this.#takeAdditions();
    }
    const at = this.#now();
    const { entries, sync } = entriesOf(event, this.#content.history.length, at);
    if (entries.length === 0) return;
    // What only adds to a response that follows at once is written together with it.
    if (event.type === "thought" || (event.type === "usage" && event.byTool !== true))
      return this.#queue.hold(this.#grown(this.#content.add(entries)));
    await this.#push(entries, sync);
    if (event.type !== "request-end") return;
    this.#state.lastModified = at;
    this.#inRequest = false;
    if (this.#growth > Math.max(SMALLEST_GROWTH, this.#snapshotSize)) await this.#snapshot();
  }

  /** Writes the journal anew, without whatever is damaged in it; the old one is kept aside. */
  async renew(): Promise<void> {
    this.#growth = Number.POSITIVE_INFINITY;
    await this.#queue.renew();
  }

  async modelChange(name: ModelName): Promise<void> {
    this.#state.currentModel = name;
    await this.#recordModel(name);
  }

  async title(text: string): Promise<void> {
    this.#state.title = text;
    await this.#push([{ kind: "title", text }], true);
    // Lists read it from the snapshot; during a request that has to wait for its end.
    if (this.#inRequest) this.#growth = Number.POSITIVE_INFINITY;
    else await this.#snapshot();
  }

  /** Where output too long for the conversation is kept: the folder, made if need be. */
  async filesFolder(): Promise<string> {
    await this.#options.disk.makeFolder(this.paths.files);
    return this.paths.files;
  }

  /** Keeps a text beside the session and says where. Rejects if the disk does. */
  keepAside(name: string, text: string): Promise<string> {
    return writeSpill(this.#options.disk, this.paths.files, name, this.#options.mask(text));
  }

  /** The last attempt at what is not saved, a snapshot, and the session is free for others. */
  async close(): Promise<void> {
    this.#partial.reset();
    const isKept = this.#growth > 0 && !this.#inRequest && (await this.#snapshot());
    // A snapshot holds all there is.
    if (!isKept) await this.#queue.flush();
    this.#queue.close();
    await this.#queue.journal.release();
  }

  /** It leaves the history, which was the only place that held it. */
  #keepUnsent(content: Content): Promise<void> {
    const index = this.#content.history.length;
    return this.#push([{ kind: "prompt", index, requestId: "", content, at: this.#now() }], false);
  }

  #now(): string {
    return this.#options.now().toISOString();
  }

  #push(entries: readonly SessionEntry[], sync: boolean): Promise<void> {
    return this.#save(this.#content.add(entries), sync);
  }

  #rewrite(
    messages: readonly Message[],
    make: Parameters<JournalContent["rewrite"]>[1],
    sync = true,
  ): Promise<void> {
    return this.#save(this.#content.rewrite(messages, make), sync);
  }

  #save(records: readonly Unwritten[], sync: boolean): Promise<void> {
    return this.#queue.push(this.#grown(records), sync);
  }

  #grown(records: readonly Unwritten[]): readonly Unwritten[] {
    for (const { body } of records) this.#growth += body.length;
    return records;
  }

  async #recordModel(name: ModelName): Promise<void> {
    if (name === this.#recordedModel) return;
    this.#recordedModel = name;
    await this.#push([{ kind: "model", name }], false);
  }

  #whole(): readonly Unwritten[] {
    const { title, conversation, usage, currentModel } = this.#state;
    this.#recordedModel = currentModel;
    return this.#content.whole([
      { ...this.#header, model: currentModel },
      { kind: "opened", at: this.#now() },
      ...(title === "" ? [] : [{ kind: "title" as const, text: title }]),
      ...conversation.thoughts.map((text) => ({ kind: "thought" as const, text })),
      ...(usage.sessionTotal === NO_USAGE ? [] : [{ kind: "usage" as const, call: usage.sessionTotal }]),
    ]);
  }

  #fork(): Journal {
    const { folder, projectId } = this.paths;
    const from = this.#state.sessionId;
    const to = newSessionId();
    this.#state.sessionId = to;
    this.#header = { ...this.#header, sessionId: to, forkedFrom: from };
    tell(() => this.#options.onFork(from, to));
    return new Journal(this.#options.disk, sessionPaths(folder, projectId, to));
  }

  /** Others may have added to the state without an event. Nothing leaves the history without one. */
  async #takeAdditions(): Promise<void> {
    const { messages } = this.#state.conversation;
    const { history } = this.#content;
    if (isSameHistory(messages, history)) return;
    const inState = new Set(messages);
    if (history.every((message) => inState.has(message)))
      await this.#rewrite(messages, (rewrite) => ({ kind: "repair", ...rewrite, repairs: [] }));
  }

  /** False: there is none, for now. */
  async #snapshot(): Promise<boolean> {
    await this.#takeAdditions();
    await this.#queue.write();
    try {
      // As they are now: others may add to them during a wait.
      return await this.#writeSnapshot(this.#content.history.slice(), this.#content.numbers.slice());
    } catch {
      // Everything is in the journal; the next snapshot makes up for this one.
      return false;
    }
  }

  async #writeSnapshot(messages: Message[], sequences: readonly Sequence[]): Promise<boolean> {
    const { journal, status } = this.#queue;
    const offset = await journal.end();
    if (offset === undefined || status.type !== "saved" || !this.#snapshotAllowed) return false;
    const prompt = this.#content.unansweredPrompt;
    const mark = {
      epoch: journal.epoch,
      seq: this.#content.lastSeq,
      offset,
      sequences,
      ...(prompt === undefined ? {} : { prompt: encodeEntry(prompt, () => undefined) }),
    };
    const state = { ...this.#state, conversation: { ...this.#state.conversation, messages } };
    this.#growth = 0;
    // Its folder is not synced: an older snapshot is as good, with the journal behind it.
    await replaceFile(
      this.#options.disk,
      { path: this.paths.snapshot, temporary: journal.temporary("snapshot") },
      encodeSnapshot(state, mark, this.#options.mask),
    );
    this.#snapshotSize = offset;
    return true;
  }
}
