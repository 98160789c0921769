// One attempt at one call: starts the vendor's stream and hands out its parts one by one, with a word in between
// when the vendor is silent. It ends at once on an abort and at the deadline, whatever the vendor does.
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { ProviderError, TunacodeError, UserAbortError } from "../domain/error.ts";
import type { CallOptions } from "./call-options.ts";
import type { Client } from "./client.ts";
import { type FailureContext, toFailure } from "./errors.ts";
import { Liveness, type Phase, type WaitingEvent } from "./liveness.ts";
import type { Timeouts } from "./settings.ts";

/** undefined: the stream is over. */
export type Step = LanguageModelV4StreamPart | WaitingEvent | undefined;

export interface CallStart {
  readonly client: Client;
  readonly options: CallOptions;
  readonly signal: AbortSignal;
  readonly timeouts: Timeouts;
  readonly context: FailureContext;
}

export class ModelCall {
  readonly #start: CallStart;
  readonly #controller = new AbortController();
  readonly #liveness: Liveness;
  #reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  /** The read that is under way; a word about silence may be handed out before it ends. */
  #reading: Promise<unknown> | undefined;
  #settle: { resolve: (step: Step) => void; reject: (error: unknown) => void } | undefined;
  #ended: TunacodeError | undefined;

  constructor(start: CallStart) {
    this.#start = start;
    this.#liveness = new Liveness(start.context.provider.name, start.timeouts, {
      silent: (event) => this.#settle?.resolve(event),
      gaveUp: (phase, silentMs) => this.#end(this.#stalled(phase, silentMs)),
    });
    start.client.calls.set(this.#controller.signal, this.#liveness);
    start.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Rejects with a ProviderError, a WireGateError, or the reason of an abort. */
  next(): Promise<Step> {
    if (this.#start.signal.aborted) this.#onAbort();
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#reading ??= this.#read();
    });
  }

  /** Lets go of the connection; nothing of the call goes on after it. */
  close(): void {
    this.#liveness.stop();
    this.#start.signal.removeEventListener("abort", this.#onAbort);
    this.#controller.abort();
    // A stream that was cut off has nothing more to say.
    this.#reader?.cancel().catch(() => {});
  }

  async #read(): Promise<void> {
    try {
      this.#reader ??= await this.#open();
      const { done, value } = await this.#reader.read();
      this.#reading = undefined;
      this.#settle?.resolve(done ? undefined : value);
    } catch (error) {
      this.#reading = undefined;
      this.#settle?.reject(this.#ended ?? toFailure(error, this.#start.context));
    }
  }

  async #open(): Promise<ReadableStreamDefaultReader<LanguageModelV4StreamPart>> {
    const { client, options } = this.#start;
    const vendor = await client.vendor();
    const { stream } = await vendor.doStream({ ...options, abortSignal: this.#controller.signal });
    return stream.getReader();
  }

  readonly #onAbort = (): void => {
    const { reason } = this.#start.signal;
    this.#end(reason instanceof TunacodeError ? reason : new UserAbortError());
  };

  #end(error: TunacodeError): void {
    this.#ended ??= error;
    this.#liveness.stop();
    this.#settle?.reject(this.#ended);
    this.#controller.abort(this.#ended);
  }

  #stalled(phase: Phase, silentMs: number): ProviderError {
    const { name } = this.#start.context.provider;
    return new ProviderError(
      "provider_unreachable",
      `${name} was silent for ${Math.round(silentMs / 1000)} s while the ${phase} was awaited.`,
      { retryable: true },
    );
  }
}
