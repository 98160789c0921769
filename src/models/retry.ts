// A call with its retries. A failure that may pass is retried after a wait that a person can see and end, as long as
// the answer has not begun. An answer that breaks off is thrown as such, for whoever knows how to go on with it.

import { type Backoff, backoffMs } from "../base/backoff.ts";
import { systemClock } from "../base/clock.ts";
import { defined } from "../base/defined.ts";
import { ProviderError, TunacodeError, UserAbortError } from "../domain/error.ts";
import type { ModelEvent } from "../domain/model.ts";
import { type FailureContext, faultFailure } from "./errors.ts";
import type { StreamReader } from "./from-stream.ts";
import type { ModelCall } from "./model-call.ts";

interface Attempts {
  readonly start: () => ModelCall;
  readonly reader: () => StreamReader;
  readonly context: FailureContext;
  /** Closes connections that may be dead. */
  readonly drop: () => void;
  /** Absent: the failure's own number, or the default. */
  readonly maxRetries?: number;
  readonly backoff: Backoff;
  readonly signal: AbortSignal;
}

const DEFAULT_MAX_RETRIES = 5;
export const DEFAULT_BACKOFF: Backoff = { firstMs: 1_000, mostMs: 30_000 };
const LONGEST_WAIT_MS = 60_000;

export async function* streamWithRetries(attempts: Attempts): AsyncGenerator<ModelEvent, void> {
  for (let attempt = 1; ; attempt++) {
    let said = false;
    let failure: ProviderError;
    const call = attempts.start();
    const reader = attempts.reader();
    try {
      for (;;) {
        const step = await call.next();
        if (step.type === "waiting") {
          yield step;
          continue;
        }
        const { events, fault } = reader.read(step.parts, step.isLast);
        for (const event of events) {
          said ||= event.type !== "usage";
          yield event;
        }
        if (fault !== undefined) throw faultFailure(fault, attempts.context);
        // What happens to the connection afterwards doesn't matter.
        if (reader.isOver) return;
      }
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (call.isAnswered && breaksOff(error, said)) throw brokenOff(error, attempts.drop);
      failure = retryable(error, attempt, attempts.maxRetries);
    } finally {
      call.close(reader.isWhole);
    }
    if (failure.code === "provider_unreachable") attempts.drop();
    // Retrying at once, as a vendor may ask with 0, would use up all attempts within a moment.
    const delayMs = failure.retryAfterMs || backoffMs(attempts.backoff, attempt, Math.random());
    yield { type: "retry-wait", attempt, delayMs, reason: failure.message };
    await wait(delayMs, attempts.signal);
  }
}

/** An error that the vendor reports before it has said anything is like one with a status of its own. */
function breaksOff({ code, status, retryable, refused }: ProviderError, said: boolean): boolean {
  if (said) return retryable || (code === "provider_error" && status !== PAYMENT_REQUIRED);
  if (code === "provider_unreachable") return true;
  const isReported = retryable || status !== undefined || refused !== undefined;
  return code === "provider_error" && !isReported;
}

const PAYMENT_REQUIRED = 402;

function brokenOff(error: ProviderError, drop: () => void): ProviderError {
  if (error.code === "provider_unreachable") drop();
  const { code, message, status, retryAfterMs } = error;
  return new ProviderError(code, message, { brokenOff: true, ...defined({ status, retryAfterMs }) });
}

/** Returns the failure if it is worth another attempt, and throws it otherwise. */
function retryable(error: ProviderError, attempt: number, wanted?: number): ProviderError {
  if (!error.retryable) throw error;
  if (attempt > (wanted ?? error.mostRetries ?? DEFAULT_MAX_RETRIES)) throw final(error);
  if ((error.retryAfterMs ?? 0) > LONGEST_WAIT_MS) throw final(error, waitNote(error.retryAfterMs ?? 0));
  return error;
}

function final({ code, message, status, retryAfterMs }: ProviderError, note = ""): ProviderError {
  return new ProviderError(code, `${message}${note}`, defined({ status, retryAfterMs }));
}

function waitNote(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  const at = new Date(Date.now() + ms).toISOString().slice(0, 16).replace("T", " ");
  return ` It asks to wait ${minutes} minutes: try again after ${at} UTC, or choose another model.`;
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await systemClock.sleep(ms, signal);
  } catch (reason) {
    throw reason instanceof TunacodeError ? reason : new UserAbortError();
  }
}
