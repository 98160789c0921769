// Records on their way to the disk. What is pushed together is written together and shares one sync. A failing disk
// never fails the conversation: records wait here, the person is told, and every later push tries again.
import { failureCode } from "../base/failure-code.ts";
import { errorMessage } from "../domain/error.ts";
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
  /** The records of a new journal, which hold everything; they replace whatever waits. */
  readonly whole: () => readonly Unwritten[];
  /** Another window took the session over: returns the journal of a fork. */
  readonly fork: (error: SessionTakenError) => Journal;
  readonly onStatus: (status: SaveStatus) => void;
}

const RETRY_MS = 2_000;

export class SaveQueue {
  readonly #options: SaveQueueOptions;
  #journal: Journal;
  #waiting: Unwritten[] = [];
  /** Something was written that would not survive a power cut. */
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

  /** Resolves when the records are written (with `sync`: safe), or when that failed and was reported. Never rejects. */
  push(records: readonly Unwritten[], sync: boolean): Promise<void> {
    this.hold(records);
    this.#syncWanted ||= sync;
    const { promise } = this.#round;
    this.#running ??= this.#run();
    return promise;
  }

  /** They are written together with what is pushed next. */
  hold(records: readonly Unwritten[]): void {
    this.#waiting = this.#waiting.concat(records);
  }

  /** Makes one more attempt at whatever waits; `unsafeToo`: and at what is written but not yet safe. */
  async flush(unsafeToo: boolean): Promise<void> {
    if (this.#waiting.length > 0 || (unsafeToo && this.#isUnsafe)) await this.push([], true);
    else await this.#running;
  }

  /** The next push begins a new journal with everything; the existing one is kept aside. */
  beginAnew(): void {
    this.#renewWanted = true;
  }

  /** Stops the retries. */
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
    // A push during a failed attempt must not wait: the status tells about the failure.
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
      this.#setStatus({ type: "unsaved", code: failureCode(error), problem: errorMessage(error), records });
      this.#retry ??= setTimeout(() => this.#tryAgain(), RETRY_MS).unref();
      return false;
    }
  }

  async #save(): Promise<void> {
    const isAnew = (await this.#journal.fence()) === "absent" || this.#renewWanted;
    const safe = this.#syncWanted || this.#status.type === "unsaved";
    const records = isAnew ? this.#options.whole() : this.#waiting;
    this.#waiting = [];
    this.#syncWanted = false;
    this.#isUnsafe = !isAnew && (this.#isUnsafe || records.length > 0);
    try {
      if (isAnew) await this.#journal.begin(records);
      else await this.#journal.append(records, safe);
    } catch (error) {
      this.#waiting = [...records, ...this.#waiting];
      throw error;
    }
    if (isAnew) this.#renewWanted = false;
    if (safe) this.#isUnsafe = false;
  }

  #tryAgain(): void {
    this.#retry = undefined;
    void this.flush(true);
  }

  #setStatus(status: SaveStatus): void {
    const said = codeOf(this.#status) === codeOf(status);
    this.#status = status;
    if (!said) tell(() => this.#options.onStatus(status));
  }
}

/** A front that fails to show something must not keep anything from being saved. */
export function tell(show: () => void): void {
  try {
    show();
  } catch {
    // There is nobody left to tell.
  }
}

/** A status is told again only when its code differs. */
function codeOf(status: SaveStatus): string {
  return status.type === "saved" ? status.type : `${status.type} ${status.code}`;
}
