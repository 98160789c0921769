// Records on their way to the disk. What is pushed together is written together and shares one sync. A disk that
// fails never fails the conversation: records wait here, the person is told, and every later push tries again.
import { errorMessage } from "../domain/error.ts";
import { diskErrorCode } from "./disk.ts";
import { type Journal, SessionTakenError, type Unwritten } from "./journal.ts";

export type SaveStatus =
  | { readonly type: "saved" }
  /** A standing warning: the conversation goes on in memory. */
  | {
      readonly type: "unsaved";
      readonly code: string;
      readonly problem: string;
      readonly records: number;
    };

export interface SaveQueueOptions {
  /** Everything there is to say, as the records of a new journal; they replace whatever waits. */
  readonly whole: () => readonly Unwritten[];
  /** The session was taken over: the journal of the fork to go on in. */
  readonly fork: (error: SessionTakenError) => Journal;
  readonly onStatus: (status: SaveStatus) => void;
}

const RETRY_MS = 2_000;

export class SaveQueue {
  readonly #options: SaveQueueOptions;
  #journal: Journal;
  #waiting: Unwritten[] = [];
  /** Something is written that would not survive a power cut. */
  #isUnsafe = false;
  #syncWanted = false;
  #renewWanted = false;
  #running: Promise<void> | undefined;
  #round = Promise.withResolvers<void>();
  #status: SaveStatus = { type: "saved" };
  #retry: NodeJS.Timeout | undefined;

  constructor(journal: Journal, options: SaveQueueOptions) {
    this.#journal = journal;
    this.#options = options;
  }

  get status(): SaveStatus {
    return this.#status;
  }

  get journal(): Journal {
    return this.#journal;
  }

  /** Resolves when the records are written (and safe, with `sync`), or when that failed and was said. Never rejects. */
  push(records: readonly Unwritten[], sync: boolean): Promise<void> {
    this.hold(records);
    this.#syncWanted ||= sync;
    const { promise } = this.#round;
    this.#running ??= this.#run();
    return promise;
  }

  /** They go with what is pushed next. */
  hold(records: readonly Unwritten[]): void {
    this.#waiting = this.#waiting.concat(records);
  }

  /** One more attempt at whatever waits, and at what is written but not safe. */
  async flush(): Promise<void> {
    if (this.#waiting.length > 0 || this.#isUnsafe) await this.push([], true);
    else await this.#running;
  }

  /** The same for those who see to it themselves that what is written is safe. */
  async write(): Promise<void> {
    if (this.#waiting.length > 0) await this.push([], true);
    else await this.#running;
  }

  /** The next push begins the journal anew with all there is; the one that is there is kept aside. */
  beginAnew(): void {
    this.#renewWanted = true;
  }

  /** Nothing is tried again from now on. */
  close(): void {
    clearTimeout(this.#retry);
  }

  async #run(): Promise<void> {
    for (let more = true; more; ) {
      const round = this.#round;
      this.#round = Promise.withResolvers();
      const saved = await this.#attempt();
      round.resolve();
      more = saved && (this.#waiting.length > 0 || this.#syncWanted);
    }
    this.#running = undefined;
    // Those who came during a failed attempt are told by the status, and must not wait.
    this.#round.resolve();
    this.#round = Promise.withResolvers();
  }

  async #attempt(): Promise<boolean> {
    try {
      await this.#save();
      this.#setStatus({ type: "saved" });
      return true;
    } catch (error) {
      if (error instanceof SessionTakenError) {
        const taken = this.#journal;
        this.#journal = this.#options.fork(error);
        await taken.release();
        return this.#attempt();
      }
      const records = this.#waiting.length;
      this.#setStatus({ type: "unsaved", code: diskErrorCode(error), problem: errorMessage(error), records });
      this.#retry ??= setTimeout(() => this.#tryAgain(), RETRY_MS).unref();
      return false;
    }
  }

  async #save(): Promise<void> {
    const state = await this.#journal.fence();
    if (state === "absent" || this.#renewWanted) {
      const whole = this.#options.whole();
      this.#waiting = [];
      this.#isUnsafe = false;
      this.#syncWanted = false;
      await this.#orElseWait(whole, () => this.#journal.begin(whole));
      this.#renewWanted = false;
      return;
    }
    const safe = this.#syncWanted || this.#status.type === "unsaved";
    this.#syncWanted = false;
    const batch = this.#waiting;
    this.#waiting = [];
    this.#isUnsafe ||= batch.length > 0;
    await this.#orElseWait(batch, () => this.#journal.append(batch, safe));
    if (safe) this.#isUnsafe = false;
  }

  async #orElseWait(records: readonly Unwritten[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#waiting = [...records, ...this.#waiting];
      throw error;
    }
  }

  #tryAgain(): void {
    this.#retry = undefined;
    void this.flush();
  }

  #setStatus(status: SaveStatus): void {
    const said = codeOf(this.#status) === codeOf(status);
    this.#status = status;
    if (!said) tell(() => this.#options.onStatus(status));
  }
}

/** Whoever shows it may fail; what is saved must not depend on that. */
export function tell(show: () => void): void {
  try {
    show();
  } catch {
    // A broken panel is its own problem.
  }
}

/** Told again only when it is another trouble. */
function codeOf(status: SaveStatus): string {
  return status.type === "saved" ? status.type : `${status.type} ${status.code}`;
}
