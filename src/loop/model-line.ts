// The models that may answer: the one that was chosen, then those to fall back on.
import { ProviderError } from "../domain/error.ts";
import type { ModelName } from "../domain/ids.ts";
import type { Model } from "../domain/model.ts";

export interface ModelLine {
  readonly chosen: Model;
  /** The first that is not in `passed`. One that failed lately is taken only if there is no other. */
  readonly choose: (passed: ReadonlySet<ModelName>) => Promise<LineChoice>;
  /** It failed, so for ten minutes the others come first. */
  readonly rest: (name: ModelName) => void;
  /** It answered. Returns whether it was resting. */
  readonly wake: (name: ModelName) => boolean;
}

export interface LineChoice {
  /** Null: there is no other. */
  readonly model: Model | null;
  /** Models that would have been next, and why they can't be used. */
  readonly unusable: readonly UnusableModel[];
}

export interface UnusableModel {
  readonly name: ModelName;
  readonly why: string;
}

/**
 * The model is overloaded, out of quota or gone. Its retries are over when the loop sees the error. A rejected key and
 * a refused conversation are something else: the person has to see the one, and the other model would get the same.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  switch (error.code) {
    case "rate_limited":
    case "provider_unreachable":
    case "model_not_found":
      return true;
    case "provider_error":
      return error.status === undefined || error.status >= 500 || [402, 408, 409].includes(error.status);
    default:
      return false;
  }
}
