// One attempt at one call. Starts the vendor's stream and hands out its parts, as many at a time as have arrived since
// the last turn of the event loop, and a waiting event when the vendor is silent. It ends at once on an abort and at
// the deadline, whatever the vendor does.
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { ProviderError, TunacodeError, UserAbortError } from "../domain/error.ts";
import type { CallOptions } from "./call-options.ts";
import type { Client } from "./client.ts";
import { type FailureContext, toFailure } from "./errors.ts";
import { CallLiveness, type Phase, type WaitingEvent } from "./liveness.ts";
import type { Timeouts } from "./settings.ts";

interface PartBatch {
  readonly type: "parts";
  readonly parts: readonly LanguageModelV4StreamPart[];
  /** The stream is over. */
  readonly isLast: boolean;
}

interface CallStart {
  readonly client: Client;
  readonly options: CallOptions;
  readonly signal: AbortSignal;
  readonly timeouts: Timeouts;
  readonly context: FailureContext;
}

/** How many parts may wait to be taken before reading pauses, so that a flood can't block the event loop. */
const MOST_WAITING = 256;

/** How long a connection may take to end after a complete answer. */
const END_MS = 1_000;

type Reader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>;

export class ModelCall {
  readonly #start: CallStart;
  readonly #controller = new AbortController();
  readonly #liveness: CallLiveness;
  #reader: Reader | undefined;
  #parts: LanguageModelV4StreamPart[] = [];
  #state: "new" | "reading" | "paused" | "over" = "new";
  /** Why the call ended, if not with the end of the stream. */
  #failure: TunacodeError | undefined;
  #taker: { resolve: (step: PartBatch | WaitingEvent) => void; reject: (error: Error) => void } | undefined;
  #delivery: ReturnType<typeof setImmediate> | undefined;

  constructor(start: CallStart) {
    this.#start = start;
    this.#liveness = new CallLiveness(start.context.provider.name, start.timeouts, {
      silent: (event) => this.#taker?.resolve(event),
      gaveUp: (phase, silentMs) => this.#stop(stalled(start.context.provider.name, phase, silentMs)),
    });
    start.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Rejects with a ProviderError, a WireGateError, or the reason of an abort. */
  next(): Promise<PartBatch | WaitingEvent> {
    return new Promise((resolve, reject) => {
      this.#taker = { resolve, reject };
      if (this.#start.signal.aborted) this.#onAbort();
      else if (this.#state === "new") void this.#open();
      else if (this.#state === "paused") void this.#read();
      if (this.#parts.length > 0 || this.#state === "over") this.#deliverSoon();
    });
  }

  /** The vendor has begun to answer. The SDK may wait for the first event before it hands out a stream. */
  get isAnswered(): boolean {
    return this.#liveness.phase === "next byte";
  }

  /** Ends the call; nobody takes its parts any more. */
  close(isWhole: boolean): void {
    this.#state = "over";
    this.#liveness.stop();
    clearImmediate(this.#delivery);
    this.#start.signal.removeEventListener("abort", this.#onAbort);
    if (isWhole) this.#readToEnd();
    else this.#hangUp();
  }

  #hangUp(): void {
    this.#controller.abort();
    // Cancelling a stream that was cut off may reject, which no longer matters.
    this.#reader?.cancel().catch(() => {});
  }

  /** Only a connection that was read to its end can be reused. */
  #readToEnd(): void {
    const timer = setTimeout(() => this.#hangUp(), END_MS).unref();
    const over = () => clearTimeout(timer);
    const next = (): unknown => this.#reader?.read().then(({ done }) => (done ? over() : next()), over);
    next();
  }

  async #open(): Promise<void> {
    this.#state = "reading";
    const { client, options } = this.#start;
    const { signal: abortSignal } = this.#controller;
    client.calls.set(abortSignal, this.#liveness);
    try {
      const vendor = await client.vendor();
      const { stream } = await vendor.doStream({ ...options, abortSignal });
      this.#reader = stream.getReader();
      await this.#read();
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Awaits in a loop, because a callback for each of tens of thousands of parts costs another promise. */
  async #read(): Promise<void> {
    if (this.#isOver()) return;
    this.#state = "reading";
    try {
      while (this.#reader !== undefined && this.#state === "reading") {
        const { done, value } = await this.#reader.read();
        if (value !== undefined) this.#parts.push(value);
        if (done) this.#state = "over";
        else if (this.#parts.length >= MOST_WAITING && !this.#isOver()) this.#state = "paused";
        this.#deliverSoon();
      }
    } catch (error) {
      this.#onError(error);
    }
  }

  /** The state may have changed during an await, which the compiler can't see. */
  #isOver(): boolean {
    return this.#state === "over";
  }

  readonly #onError = (error: unknown): void => {
    this.#failure ??= toFailure(error, this.#start.context);
    this.#state = "over";
    this.#deliverSoon();
  };

  /** Waits for the end of this turn of the event loop, so that parts that arrive together are delivered together. */
  #deliverSoon(): void {
    this.#delivery ??= setImmediate(this.#deliver);
  }

  readonly #deliver = (): void => {
    this.#delivery = undefined;
    const taker = this.#taker;
    if (taker === undefined) return;
    const isOver = this.#state === "over";
    if (this.#parts.length === 0 && !isOver) return;
    this.#taker = undefined;
    if (this.#parts.length === 0 && this.#failure !== undefined) {
      taker.reject(this.#failure);
      return;
    }
    const parts = this.#parts;
    this.#parts = [];
    taker.resolve({ type: "parts", parts, isLast: isOver && this.#failure === undefined });
  };

  readonly #onAbort = (): void => {
    const { reason } = this.#start.signal;
    this.#stop(reason instanceof TunacodeError ? reason : new UserAbortError());
  };

  #stop(failure: TunacodeError): void {
    this.#failure ??= failure;
    this.#state = "over";
    this.#liveness.stop();
    this.#taker?.reject(this.#failure);
    this.#controller.abort(this.#failure);
  }
}

function stalled(name: string, phase: Phase, silentMs: number): ProviderError {
  const time = `${Math.round(silentMs / 1000)} s`;
  const message =
    phase === "first byte"
      ? `${name} did not begin to answer within ${time}.`
      : `${name} sent nothing for ${time} in the middle of its answer.`;
  return new ProviderError("provider_unreachable", message, { retryable: true });
}
