// Writes a session: its records, its snapshots, and the files beside them. Whoever runs a request waits for `record`
// before asking for the next event, which is what makes a conversation durable. A failing disk never fails it.

import { basename, join } from "node:path";
import { failureCode } from "../base/failure-code.ts";
import type { Mask } from "../base/secrets.ts";
import type { Content } from "../domain/content.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { RestoreFacts } from "../domain/file-change.ts";
import { type ModelName, newSessionId, type RequestId, type SessionId } from "../domain/ids.ts";
import type { EntryOf, Sequence } from "../domain/journal-entry.ts";
import type { Message } from "../domain/message.ts";
import { ledgerEntries } from "./change-ledger.ts";
import { type Disk, writeAll } from "./disk.ts";
import type { Journal, JournalAt } from "./journal.ts";
import type { LoadedSession } from "./load.ts";
import { type SessionPaths, sessionPaths } from "./paths.ts";
import { findJournal } from "./read-files.ts";
import { Recorder } from "./recorder.ts";
import { setModel, setSessionId, setTitle } from "./reduce.ts";
import { type SaveStatus, tell } from "./save-queue.ts";
import { Snapshotter } from "./snapshotter.ts";
import type { SessionState } from "./state.ts";

export interface WriterOptions {
  readonly disk: Disk;
  readonly journal: JournalAt;
  readonly mask: Mask;
  readonly now: () => Date;
  /** The disk fails, or works again. */
  readonly onStatus: (status: SaveStatus) => void;
  /** Another window took the session over; this one goes on in a fork with the new id. */
  readonly onFork: (from: SessionId, to: SessionId) => void;
}

export class SessionWriter {
  readonly #state: SessionState;
  readonly #options: WriterOptions;
  readonly #recorder: Recorder;
  readonly #snapshotter: Snapshotter;
  #paths: SessionPaths;
  #inRequest = false;

  constructor(
    state: SessionState,
    header: EntryOf<"header">,
    { paths, journal }: { readonly paths: SessionPaths; readonly journal: Journal },
    options: WriterOptions,
  ) {
    this.#state = state;
    this.#options = options;
    this.#paths = paths;
    this.#recorder = new Recorder(state, header, journal, { ...options, fork: () => this.#fork() });
    this.#snapshotter = new Snapshotter(state, this.#recorder, options);
  }

  get status(): SaveStatus {
    return this.#recorder.status;
  }

  get paths(): SessionPaths {
    return this.#paths;
  }

  /** Continues a session that was loaded. */
  async resume(loaded: LoadedSession, snapshotAllowed: boolean): Promise<void> {
    this.#snapshotter.isAllowed = snapshotAllowed;
    await this.#recorder.resume(loaded);
  }

  adopt(): Promise<void> {
    return this.#recorder.adopt();
  }

  prompt(content: Content, requestId: RequestId): Promise<void> {
    return this.#recorder.prompt(content, requestId);
  }

  catchUp(): Promise<void> {
    return this.#recorder.catchUp();
  }

  confirm(): Promise<void> {
    return this.#recorder.confirm();
  }

  restoring(restore: RestoreFacts): Promise<void> {
    return this.#recorder.restoring(restore);
  }

  recorded(): ReadonlyMap<Sequence, Message> {
    return this.#recorder.recorded();
  }

  async record(event: AgentEvent): Promise<void> {
    if (event.type === "message-end") this.#inRequest = true;
    await this.#recorder.record(event);
    if (event.type !== "request-end") return;
    this.#inRequest = false;
    if (this.#snapshotter.isDue) await this.#snapshot();
  }

  async renew(): Promise<void> {
    this.#snapshotter.want();
    const found = await findJournal(this.#options.disk, this.#paths.journal);
    await this.#recorder.renew(found.status === "good" ? ledgerEntries(found.read) : []);
  }

  async modelChange(name: ModelName): Promise<void> {
    setModel(this.#state, name);
    await this.#recorder.model(name);
  }

  async title(text: string): Promise<void> {
    setTitle(this.#state, text);
    await this.#recorder.title(text);
    // Lists read it from the snapshot, which during a request has to wait for its end.
    if (this.#inRequest) this.#snapshotter.want();
    else await this.#snapshot();
  }

  /** The folder for output that is too long for the conversation; created if it is missing. */
  async filesFolder(): Promise<string> {
    await this.#options.disk.makeFolder(this.#paths.files);
    return this.#paths.files;
  }

  /** Keeps a text beside the session, under a numbered name if this one is taken. Returns the path. */
  async keepAside(name: string, text: string): Promise<string> {
    const folder = await this.filesFolder();
    // The name is a call's id, which a vendor chose: it must not be that of a file of ours in this folder.
    const safe = `${
      basename(name)
        .replace(/\.txt$/, "")
        .replaceAll(/[^A-Za-z0-9._-]/g, "_") || "output"
    }.txt`;
    for (let number = 1; ; number++) {
      const path = join(folder, number === 1 ? safe : `${number}-${safe}`);
      try {
        const file = await this.#options.disk.open(path, "new");
        await writeAll(file, Buffer.from(this.#options.mask(text))).finally(() => file.close());
        return path;
      } catch (error) {
        if (failureCode(error) !== "EEXIST") throw error;
      }
    }
  }

  /** Makes a last attempt at what is not saved, takes a snapshot, and frees the session for others. */
  async close(): Promise<void> {
    await this.#recorder.settle();
    const isKept = this.#snapshotter.isOutdated && !this.#inRequest && (await this.#snapshot());
    await this.#recorder.close(isKept);
  }

  #snapshot(): Promise<boolean> {
    return this.#snapshotter.take(this.#paths);
  }

  #fork(): Journal {
    const { folder, projectId } = this.#paths;
    const from = this.#state.sessionId;
    const to = newSessionId();
    setSessionId(this.#state, to);
    this.#paths = sessionPaths(folder, projectId, to);
    tell(() => this.#options.onFork(from, to));
    return this.#options.journal(this.#paths, true);
  }
}
