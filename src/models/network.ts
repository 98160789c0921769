// Connections to a vendor, kept open between calls in a pool of their own, so that they can be let go of
// without touching anyone else's.
import { runtime } from "../base/runtime.ts";
import type { Fetch } from "./settings.ts";

export interface Connections {
  readonly fetch: Fetch;
  /** Closes what is idle; calls under way end by themselves. */
  readonly close: () => void;
}

export function openNetwork(): Connections {
  const session = new runtime.FetchSession();
  return {
    // Bun gives up on an idle socket after five minutes; how long to wait is decided by our own deadlines.
    fetch: (input, init) => session.fetch(input, { ...init, timeout: false }),
    close: () => session.close(),
  };
}
