// Are two histories the same messages, object for object? Asked after every request, hence the plain loop.
import type { Message } from "../domain/message.ts";

export function isSameHistory(some: readonly Message[], others: readonly Message[]): boolean {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false;
  return true;
}
