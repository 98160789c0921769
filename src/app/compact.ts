// Summarises the older part of a conversation because a person asked for it, not because it was full.
import type { AgentEvent } from "../domain/event.ts";
import type { Model } from "../domain/model.ts";
import { historyTokens } from "../domain/tokens.ts";
import { applySummary, isShorter, planCompaction } from "../history/compaction.ts";
import { keptPromptsNotice, mostPromptTokens } from "../history/kept-prompts.ts";
import { reduceEvent } from "../session/reduce.ts";
import type { StateManager } from "./agent.ts";
import { modelLine } from "./model-line.ts";
import { summariser } from "./summariser.ts";

/** The share of the conversation that is kept word for word. */
const KEPT_SHARE = 0.2;
const NOTHING_TO_GAIN = "There is nothing to gain: a summary would not be shorter than the conversation.";

export async function* compactNow(
  model: Model,
  { session, ports }: StateManager,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const { messages, totalTokens: tokensBefore } = session.conversation;
  const plan = planCompaction(messages, tokensBefore * KEPT_SHARE, mostPromptTokens(model.contextWindow));
  if (plan === null) {
    yield { type: "notice", text: NOTHING_TO_GAIN };
    return;
  }
  const summarise = summariser(modelLine(model, ports), ports);
  const { text: summary, usage } = await summarise(messages.slice(0, plan.cut), signal);
  const shorter = applySummary(plan, summary);
  const left = keptPromptsNotice(plan.kept);
  const events: AgentEvent[] = [{ type: "usage", call: usage, byTool: true }];
  if (!isShorter(shorter, messages)) events.push({ type: "notice", text: NOTHING_TO_GAIN });
  else {
    const tokensAfter = historyTokens(shorter);
    events.push({ type: "compaction", messages: shorter, tokensBefore, tokensAfter, summary });
    if (left !== null) events.push({ type: "notice", text: left });
  }
  for (const event of events) {
    reduceEvent(session, event);
    await ports.record.event(event);
    yield event;
  }
}
