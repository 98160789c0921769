// A model that waits before every call, for providers that limit calls per minute.
import { type Clock, systemClock } from "../base/clock.ts";
import type { Model } from "../domain/model.ts";

export function pacedModel(model: Model, delayMs: number, clock: Clock = systemClock): Model {
  if (delayMs <= 0) return model;
  return {
    ...model,
    stream: async function* (request, signal) {
      await clock.sleep(delayMs, signal);
      yield* model.stream(request, signal);
    },
  };
}
