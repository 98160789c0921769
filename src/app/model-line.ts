// An agent's models: the chosen one, those to fall back on, and which of them failed lately.
import type { Clock } from "../base/clock.ts";
import { errorMessage } from "../domain/error.ts";
import type { ModelName } from "../domain/ids.ts";
import type { Model } from "../domain/model.ts";
import type { ModelLine, UnusableModel } from "../loop/model-line.ts";

interface LinePorts {
  readonly createModel: (name: ModelName) => Promise<Model>;
  /** In the order in which they are tried. */
  readonly fallback: readonly ModelName[];
  /** When a model that failed comes first again. It outlives a request, and subagents share it. */
  readonly restingUntil: Map<ModelName, number>;
  readonly clock: Clock;
}

const REST_MS = 10 * 60_000;

export function modelLine(
  chosen: Model,
  { createModel, fallback, restingUntil, clock }: LinePorts,
): ModelLine {
  const names = [...new Set([chosen.name, ...fallback])];
  const isResting = (name: ModelName) => (restingUntil.get(name) ?? 0) > clock.now();
  const rest = (name: ModelName) => void restingUntil.set(name, clock.now() + REST_MS);
  return {
    chosen,
    rest,
    wake: (name) => restingUntil.delete(name),
    choose: async (passed) => {
      const left = names.filter((name) => !passed.has(name));
      const unusable: UnusableModel[] = [];
      for (const name of [...left.filter((name) => !isResting(name)), ...left.filter(isResting)]) {
        if (name === chosen.name) return { model: chosen, unusable };
        try {
          return { model: await createModel(name), unusable };
        } catch (error) {
          // Said once, and not before every call.
          rest(name);
          unusable.push({ name, why: errorMessage(error) });
        }
      }
      return { model: null, unusable };
    },
  };
}
