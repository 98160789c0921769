// One attempt at an answer: what it may cost is set aside before the call, and what it did cost is charged after it.
import { abortReason, iterateUntilAbort } from "../base/abort.ts";
import { LimitReachedError, limitsSpending, reachedLimit } from "../domain/limits.ts";
import type { Model, ModelEvent, ModelRequest } from "../domain/model.ts";
import { type Reservation, reserve } from "../domain/reservation.ts";
import { CallMeter, type Ledger } from "./call-meter.ts";
import { inputTokens } from "./input-estimate.ts";

export interface CallPorts extends Ledger {
  readonly signal: AbortSignal;
}

/** What an answer is taken to have at most, if nobody says. Hardly any is longer. */
const ASSUMED_OUTPUT = 32_000;
/** A cap that models of unknown length accept: one above their own limit would be refused. */
const ACCEPTED_OUTPUT = 8_192;

/**
 * Yields one usage event for each attempt that cost something, and ends at once with an abort. Throws a
 * LimitReachedError if the call can't be paid.
 */
export async function* meteredCall(
  request: ModelRequest,
  model: Model,
  ports: CallPorts,
): AsyncGenerator<ModelEvent, void> {
  const { signal } = ports;
  if (signal.aborted) throw abortReason(signal);
  const reservation = await reservationFor(request, model, ports);
  const meter = new CallMeter(request, model, ports);
  try {
    const capped = withCap(request, model, reservation);
    for await (const event of iterateUntilAbort(model.stream(capped, signal), signal)) {
      // Whoever reads up to the end of an answer has then read what it cost.
      if (event.type === "finish" && meter.hasReport) yield* meter.settle("finished");
      if (event.type === "retry-wait") yield* meter.settle("failed");
      meter.note(event);
      if (event.type !== "usage") yield event;
    }
    yield* meter.settle("finished");
  } catch (error) {
    yield* meter.settle(signal.aborted ? "left" : "failed");
    throw error;
  } finally {
    // Nothing is left to settle here, unless the reader stopped reading.
    meter.settle("left");
    reservation?.release();
  }
}

/** Undefined: neither cost nor tokens are limited. */
async function reservationFor(
  request: ModelRequest,
  model: Model,
  { budget, signal }: CallPorts,
): Promise<Reservation | undefined> {
  if (limitsSpending(budget)) {
    const mostOutput = knownMost(request, model) ?? ASSUMED_OUTPUT;
    const need = { inputTokens: inputTokens(request, budget), mostOutput, price: model.price };
    return reserve(budget, need, signal);
  }
  const reached = reachedLimit(budget, 0);
  if (reached !== null) throw new LimitReachedError(reached);
  return undefined;
}

function knownMost({ maxOutputTokens }: ModelRequest, { maxOutput }: Model): number | undefined {
  return maxOutputTokens ?? maxOutput;
}

function withCap(request: ModelRequest, model: Model, reservation: Reservation | undefined): ModelRequest {
  const known = knownMost(request, model);
  if (reservation === undefined || reservation.mostOutput >= (known ?? ASSUMED_OUTPUT)) return request;
  const { mostOutput } = reservation;
  return {
    ...request,
    maxOutputTokens: known === undefined ? Math.min(mostOutput, ACCEPTED_OUTPUT) : mostOutput,
  };
}
