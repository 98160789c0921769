// One request at a time on a session: a request that comes while another runs waits for it, so that neither their
// messages nor their tool calls mix.
import { untilAbort } from "../base/abort.ts";
import type { SessionState } from "../session/state.ts";

const lastTurns = new WeakMap<SessionState, Promise<void>>();

/** Resolves when the session is free, with the function that ends the turn. */
export async function takeTurn(session: SessionState, signal: AbortSignal): Promise<() => void> {
  const before = lastTurns.get(session);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  lastTurns.set(
    session,
    Promise.all([before, over]).then(() => {}),
  );
  if (before === undefined) return end;
  try {
    await untilAbort(before, signal);
  } catch (error) {
    // It gave up waiting, so those behind it wait only for the one before it.
    end();
    throw error;
  }
  return end;
}
