// What may be tried when a model call fails, before the request fails with it.
import type { ProviderError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { ModelName } from "../domain/ids.ts";
import type { RequestContext } from "./request-context.ts";

export interface FailedCall extends Attempts {
  readonly error: unknown;
}

/** At one answer. */
export interface Attempts {
  /** What the remedies have tried for this call, so that none tries the same thing twice. */
  readonly tried: Set<string>;
  /** The models that could not answer, in the order in which they were asked. */
  readonly failures: FailedModel[];
}

export interface FailedModel {
  readonly name: ModelName;
  readonly error: ProviderError;
}

/** Returns true if the call should be made again. */
export type Remedy = (failed: FailedCall, context: RequestContext) => AsyncGenerator<AgentEvent, boolean>;

/** Without the advice to try again, which is what is being done. */
export function reasonOf({ message }: Error): string {
  return message.replace(ADVICE, "").replace(/\.?$/, ".");
}

const ADVICE = / (?:The session is unharmed|What has arrived is kept)\b.*$/;
