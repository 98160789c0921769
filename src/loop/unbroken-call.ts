// One answer of a model, gone on with where it breaks off.
import type { Model, ModelEvent, ModelRequest } from "../domain/model.ts";
import { type CallPorts, meteredCall } from "./metered-call.ts";

export async function* unbrokenCall(
  request: ModelRequest,
  model: Model,
  ports: CallPorts,
): AsyncGenerator<ModelEvent, void> {
  yield* meteredCall(request, model, ports);
}
