// One request at a time on a session: what is asked while another runs is its follow-up and waits, so that neither
// their messages nor their tool calls can mix.
import { untilAbort } from "../base/abort.ts";
import type { SessionState } from "../session/state.ts";

const lastTurns = new WeakMap<SessionState, Promise<void>>();

/** Resolves when the session is free. The turn lasts until the function it gives is called. */
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
    // Given up before its turn came: those behind it wait for the one in front only.
    end();
    throw error;
  }
  return end;
}
