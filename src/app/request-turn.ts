// One request at a time on a session: a request that comes while another runs waits for it, so that neither their
// messages nor their tool calls mix.
import { untilAbort } from "../base/abort.ts";
import { TunacodeError } from "../domain/error.ts";
import type { SessionState } from "../session/state.ts";

const lastTurns = new WeakMap<SessionState, Promise<void>>();
/** How many have a turn or wait for one. */
const takers = new WeakMap<SessionState, number>();

/** Resolves when the session is free, with the function that ends the turn. */
export async function takeTurn(session: SessionState, signal: AbortSignal): Promise<() => void> {
  const before = lastTurns.get(session);
  const { promise: over, resolve } = Promise.withResolvers<void>();
  takers.set(session, (takers.get(session) ?? 0) + 1);
  let hasEnded = false;
  const end = () => {
    if (!hasEnded) takers.set(session, (takers.get(session) ?? 0) - 1);
    hasEnded = true;
    resolve();
  };
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

export function isIdle(session: SessionState): boolean {
  return (takers.get(session) ?? 0) === 0;
}

/** For what doesn't wait: requests that come meanwhile wait for it. Throws while a request runs. */
export async function takeFreeTurn(session: SessionState): Promise<() => void> {
  if (!isIdle(session))
    throw new TunacodeError("usage", "A request is running. Stop it first, or wait for its end.");
  return takeTurn(session, new AbortController().signal);
}
