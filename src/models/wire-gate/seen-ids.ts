// Ids seen so far in a conversation. There may be thousands, so a fork copies none of them: it looks into those
// of its origin and keeps its own apart.
import type { JsonValue } from "../../base/json.ts";

export interface SeenIds {
  readonly has: (id: JsonValue) => boolean;
  readonly add: (id: JsonValue) => void;
  /** The origin may not grow while the fork is in use. */
  readonly fork: () => SeenIds;
}

export function seenIds(origin?: SeenIds): SeenIds {
  const own = new Set<JsonValue>();
  const ids: SeenIds = {
    has: (id) => own.has(id) || (origin?.has(id) ?? false),
    add: (id) => {
      own.add(id);
    },
    fork: () => seenIds(ids),
  };
  return ids;
}
