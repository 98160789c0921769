// A history made valid and lean, before every request and when a session is opened. Pure, deterministic, idempotent;
// a history that needs nothing comes back as the same object.
import type { Message } from "../domain/message.ts";
import { cleanup } from "./cleanup.ts";
import { prune } from "./prune.ts";
import { applyRules, type Repaired, type Rule } from "./rule.ts";
import { sanitize } from "./sanitize.ts";
import { trailingRequest } from "./trailing-request.ts";

export interface PrepareOptions {
  /** A person's new message is about to follow. */
  readonly newMessage?: boolean;
}

export function prepareHistory(messages: readonly Message[], options?: PrepareOptions): Repaired {
  const steps: Rule[] = [prune, cleanup, ...(options?.newMessage ? [trailingRequest] : []), sanitize];
  const prepared = applyRules({ messages, repairs: [] }, steps);
  // A repair can change which returns are old; without a second look, preparing again could change more.
  const isRepaired = prepared.repairs.some(({ kind }) => kind !== "pruned-return");
  return isRepaired ? applyRules(prepared, [prune]) : prepared;
}
