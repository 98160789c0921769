// Summarises the older part of a conversation because a person asked for it, not because it was full.
import type { AgentEvent } from "../domain/event.ts";
import type { Model } from "../domain/model.ts";
import { historyTokens } from "../domain/tokens.ts";
import { applySummary, compactionCut } from "../history/compaction.ts";
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
  const { text, usage } = await summariseWith(
    model,
    ports.budget,
    ports.loop,
  )(messages.slice(0, cut), signal);
  const summary = ports.mask(text);
  const shorter = applySummary(messages, cut, summary);
  const tokensAfter = historyTokens(shorter);
  const events: AgentEvent[] = [
    { type: "usage", call: usage, byTool: true },
    { type: "compaction", messages: shorter, tokensBefore, tokensAfter, summary },
  ];
  for (const event of events) {
    reduceEvent(session, event);
    await ports.record.event(event);
    yield event;
  }
}
