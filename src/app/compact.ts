// Summarises the older part of a conversation because a person asked for it, not because it was full.
import type { AgentEvent } from "../domain/event.ts";
import type { Model } from "../domain/model.ts";
import { historyTokens } from "../domain/tokens.ts";
import type { UsageTotals } from "../domain/usage.ts";
import { applySummary, compactionCut } from "../history/compaction.ts";
import { spendingEvents } from "../loop/call-meter.ts";
import { reduceEvent } from "../session/reduce.ts";
import type { StateManager } from "./agent.ts";
import { summariseWith } from "./summarise.ts";

/** The share of the conversation that is kept word for word. */
const KEPT_SHARE = 0.2;

export async function* compactNow(
  model: Model,
  { session, ports }: StateManager,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const { messages, totalTokens: tokensBefore } = session.conversation;
  const cut = compactionCut(messages, tokensBefore * KEPT_SHARE);
  if (cut === 0) {
    yield { type: "notice", text: "There is nothing to summarise yet." };
    return;
  }
  const spent: UsageTotals[] = [];
  const saved = async function* (events: Iterable<AgentEvent>) {
    for (const event of events) {
      reduceEvent(session, event);
      await ports.record.event(event);
      yield event;
    }
  };
  let summary: string;
  try {
    const call = { budget: ports.budget, signal, spent };
    summary = await summariseWith(model, ports.loop)(messages.slice(0, cut), call);
  } catch (error) {
    // A summary that failed has cost something, too.
    yield* saved(spendingEvents(spent, true));
    throw error;
  }
  const shorter = applySummary(messages, cut, summary);
  const tokensAfter = historyTokens(shorter);
  yield* saved(spendingEvents(spent, true));
  yield* saved([{ type: "compaction", messages: shorter, tokensBefore, tokensAfter, summary }]);
}
