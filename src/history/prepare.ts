// Makes a history valid and lean, before every request and when a session is opened. Pure, deterministic and
// idempotent. A history that needs no change is returned as the same object.
import type { Message } from "../domain/message.ts";
import { cleanup } from "./cleanup.ts";
import { prune } from "./prune.ts";
import { applyRules, type Repaired, type RepairRule } from "./rule.ts";
import { sanitize } from "./sanitize.ts";
import { type NewMessage, trailingRequest } from "./trailing-request.ts";

export interface PrepareOptions extends NewMessage {
  /** A person's new message is about to follow. */
  readonly newMessage?: boolean;
}

export function prepareHistory(messages: readonly Message[], options?: PrepareOptions): Repaired {
  const settle: RepairRule = (history) => trailingRequest(history, options);
  const steps: RepairRule[] = [prune, cleanup, ...(options?.newMessage ? [settle] : []), sanitize];
  const prepared = applyRules({ messages, repairs: [] }, steps);
  // A repair can change which returns count as old. Without pruning again, preparing would not be idempotent.
  const isRepaired = prepared.repairs.some(({ kind }) => kind !== "pruned-return");
  return isRepaired ? applyRules(prepared, [prune]) : prepared;
}
