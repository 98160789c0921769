// Watches whether a vendor is still there. Any byte is a sign of life, even a keep-alive. After some silence a person
// is told what is awaited; at the deadline the call is given up.
import type { ModelEvent } from "../domain/model.ts";
import type { Timeouts } from "./settings.ts";

export type WaitingEvent = Extract<ModelEvent, { type: "waiting" }>;

/** The time between a request and its first byte, or between two bytes. */
export type Phase = "first byte" | "next byte";

export const CLOUD_TIMEOUTS: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 300_000,
  idleMs: 300_000,
  noticeMs: 15_000,
};

/** A local server may have to load the model first. */
export const LOCAL_TIMEOUTS: Timeouts = { ...CLOUD_TIMEOUTS, firstByteMs: 900_000, idleMs: 900_000 };

interface LivenessListener {
  readonly silent: (event: WaitingEvent) => void;
  readonly gaveUp: (phase: Phase, silentMs: number) => void;
}

export class CallLiveness {
  readonly #provider: string;
  readonly #timeouts: Timeouts;
  readonly #listener: LivenessListener;
  #phase: Phase = "first byte";
  #lastSign = performance.now();
  #notices = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(provider: string, timeouts: Timeouts, listener: LivenessListener) {
    this.#provider = provider;
    this.#timeouts = timeouts;
    this.#listener = listener;
    this.#schedule();
  }

  /** Something came. Called for every chunk, so it only notes the time; the timer looks at it later. */
  sign(): void {
    this.#lastSign = performance.now();
    this.#notices = 0;
    if (this.#phase === "next byte" || this.#timer === undefined) return;
    // From now on another deadline applies, which may come before the timer fires.
    this.#phase = "next byte";
    clearTimeout(this.#timer);
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  get phase(): Phase {
    return this.#phase;
  }

  get #deadlineMs(): number {
    return this.#phase === "first byte" ? this.#timeouts.firstByteMs : this.#timeouts.idleMs;
  }

  get #noticeMs(): number {
    return this.#timeouts.noticeMs * (this.#notices + 1);
  }

  #schedule(): void {
    const silent = performance.now() - this.#lastSign;
    const wait = Math.min(this.#noticeMs, this.#deadlineMs) - silent;
    this.#timer = setTimeout(() => this.#check(), Math.max(1, Math.ceil(wait)));
  }

  #check(): void {
    const silent = Math.round(performance.now() - this.#lastSign);
    if (silent >= this.#deadlineMs) {
      this.stop();
      this.#listener.gaveUp(this.#phase, silent);
      return;
    }
    if (silent >= this.#noticeMs) {
      this.#notices++;
      this.#listener.silent({
        type: "waiting",
        awaited: `the ${this.#phase} from ${this.#provider}`,
        sinceMs: silent,
        deadlineMs: this.#deadlineMs,
      });
    }
    this.#schedule();
  }
}
