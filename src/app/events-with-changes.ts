// Puts what was changed on disk into a request's events as soon as it is known, and has the project looked at while the
// first answer is awaited.
import { inTime } from "../base/abort.ts";
import type { ChangeTracker } from "../checkpoint/tracking.ts";
import type { AgentEvent, Outcome } from "../domain/event.ts";

/** The first look at the project begins so long after a model was asked: sending, and short answers, go first. */
const BEGIN_AFTER_MS = 500;
/** What is found later comes with the next request, or when the session is closed. */
const MOST_WAIT_MS = 5_000;

export async function* eventsWithChanges(
  events: AsyncGenerator<AgentEvent, Outcome>,
  changes: ChangeTracker,
): AsyncGenerator<AgentEvent, Outcome> {
  let begin: NodeJS.Timeout | undefined;
  try {
    while (true) {
      const next = await events.next();
      if (next.done) return next.value;
      if (next.value.type === "node-start") begin ??= setTimeout(changes.begin, BEGIN_AFTER_MS);
      if (next.value.type === "request-end") {
        const deadline = AbortSignal.timeout(MOST_WAIT_MS);
        await inTime(changes.settled(deadline), deadline);
      }
      for (const found of changes.take()) yield { type: "files-changed", ...found };
      yield next.value;
    }
  } finally {
    clearTimeout(begin);
  }
}
