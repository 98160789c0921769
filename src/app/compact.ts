// Summarises the older part of a conversation because a person asked for it, not because it was full.
import type { AgentEvent } from "../domain/event.ts";
import type { Model } from "../domain/model.ts";
import { historyTokens } from "../domain/tokens.ts";
import type { UsageTotals } from "../domain/usage.ts";
import { applySummary, isShorter, planCompaction } from "../history/compaction.ts";
import { keptPromptsNotice, mostPromptTokens } from "../history/kept-prompts.ts";
import { spendingEvents } from "../loop/call-meter.ts";
import { reduceEvent } from "../session/reduce.ts";
import type { StateManager } from "./agent.ts";
import { modelLine } from "./model-line.ts";
import { takeTurn } from "./request-turn.ts";
import { summariser } from "./summariser.ts";

/** The share of the conversation that is kept word for word. */
const KEPT_SHARE = 0.2;
const NOTHING_TO_GAIN = "There is nothing to gain: a summary would not be shorter than the conversation.";

/** Waits for its turn: neither a request nor a going back may change the conversation meanwhile. */
export async function* compactNow(
  model: Model,
  manager: StateManager,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const endTurn = await takeTurn(manager.session, signal);
  try {
    yield* compact(model, manager, signal);
  } finally {
    endTurn();
  }
}

async function* compact(
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
  // A message that no record holds yet would be lost with the rewrite.
  await ports.record.catchUp();
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
    summary = await summariser(modelLine(model, ports), ports)(messages.slice(0, plan.cut), call);
  } catch (error) {
    // A summary that failed has cost something, too.
    yield* saved(spendingEvents(spent, true));
    throw error;
  }
  yield* saved(spendingEvents(spent, true));
  const shorter = applySummary(plan, summary);
  if (!isShorter(shorter, messages)) {
    yield { type: "notice", text: NOTHING_TO_GAIN };
    return;
  }
  const tokensAfter = historyTokens(shorter);
  yield* saved([{ type: "compaction", messages: shorter, tokensBefore, tokensAfter, summary }]);
  const left = keptPromptsNotice(plan.kept);
  if (left !== null) yield { type: "notice", text: left };
}
