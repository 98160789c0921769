// Work that is done one after the other in the background. Nothing of it rejects: an abort is nothing to tell, and a
// failure is told once and makes undo cover less.
import { errorMessage } from "../domain/error.ts";

export class WorkQueue {
  readonly #notify: (text: string) => void;
  readonly #told = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  constructor(notify: (text: string) => void) {
    this.#notify = notify;
  }

  /** Resolves when all that was added so far is done. */
  get idle(): Promise<void> {
    return this.#last;
  }

  add(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#last = this.#last.then(async () => {
      try {
        if (!signal.aborted) await work(signal);
      } catch (error) {
        if (!signal.aborted) this.#fail(error);
      }
    });
    return this.#last;
  }

  /** At once; null if it failed. */
  attempt<Value>(write: () => Value): Value | null {
    try {
      return write();
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  tell(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#notify(text);
  }

  #fail(error: unknown): void {
    this.tell(`Undo may not cover everything from here on: ${errorMessage(error)}`);
  }
}
