// One attempt at an answer, and what it costs.
import type { Budget } from "../domain/limits.ts";
import type { Model, ModelEvent, ModelRequest } from "../domain/model.ts";

export interface CallPorts {
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

export async function* meteredCall(
  request: ModelRequest,
  model: Model,
  { signal }: CallPorts,
): AsyncGenerator<ModelEvent, void> {
  yield* model.stream(request, signal);
}
