// Makes the conversation fit the model's window before a model call: first returns that are too big by themselves are
// shortened and old ones cleared, then the older part is summarised. The journal keeps everything.
import { errorMessage, ProviderError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { Message } from "../domain/message.ts";
import { CHARACTERS_PER_TOKEN, historyTokens } from "../domain/tokens.ts";
import type { UsageTotals } from "../domain/usage.ts";
import { applySummary, isShorter, planCompaction } from "../history/compaction.ts";
import { keptPromptsNotice, mostPromptTokens } from "../history/kept-prompts.ts";
import { PROTECTED_TOKENS, pruneReturns } from "../history/prune.ts";
import { shortenReadReturns, shortenReturns } from "../history/shorten-returns.ts";
import { spendingEvents } from "./call-meter.ts";
import type { RequestContext } from "./request-context.ts";
import { moveTriedForm } from "./simpler-form.ts";

/** The share of the window above which room is made before the next call. */
const FULL = 0.8;
/** Clearing returns is enough only below this share; otherwise the next call would have to clear again. */
const ROOMY = 0.6;
/** The share of the window for returns that stay whole. */
const PROTECTED_SHARE = 0.3;
/** The share of the window for a return that the model has read and that was too big to stay whole. */
const SHORTENED_SHARE = 0.1;
/** The share of the window for the returns that the model is about to read. */
const NEWEST_SHARE = 0.4;
/** The share of the window for the newest messages, which stay word for word beside a summary. */
const KEPT_SHARE = 0.2;
const MAX_FRUITLESS = 2;
const SUMMARISING = "The conversation is nearly as long as the model can take: summarising its older part.";

export async function* fitContext(
  context: RequestContext,
  overflowed: boolean,
): AsyncGenerator<AgentEvent, void> {
  const before = promptTokens(context);
  const window = windowOf(context, overflowed, before);
  if (window === undefined || (!overflowed && before <= FULL * window)) return;
  if (context.fruitlessCompactions >= MAX_FRUITLESS) {
    if (overflowed || before > window) throw tooLarge(context);
    return;
  }

  const { conversation } = context;
  const characters = (share: number) => share * window * CHARACTERS_PER_TOKEN;
  const protectTokens = Math.min(PROTECTED_TOKENS, PROTECTED_SHARE * window);
  const largest = protectTokens * CHARACTERS_PER_TOKEN;
  const limits = { protectTokens, minimumGain: 1, minimumTurns: 0 };
  let { messages } = conversation;
  const read = shortenReadReturns(messages, largest, Math.min(largest, characters(SHORTENED_SHARE)));
  // If one return was to blame, the others need no more room than before.
  let enough = read === messages || overflowed ? ROOMY : FULL;
  yield* rewrite(pruneReturns(read, limits).messages, null, before, context);
  if (promptTokens(context) > FULL * window) {
    messages = conversation.messages;
    const newest = shortenReturns(messages, characters(NEWEST_SHARE));
    if (newest !== messages && !overflowed) enough = FULL;
    yield* rewrite(newest, null, before, context);
  }
  if (promptTokens(context) > enough * window) yield* summarise(window, overflowed, context);

  const after = promptTokens(context);
  context.fruitlessCompactions = after > FULL * window ? context.fruitlessCompactions + 1 : 0;
  if (after > window && !overflowed) throw tooLarge(context);
}

async function* summarise(
  window: number,
  overflowed: boolean,
  context: RequestContext,
): AsyncGenerator<AgentEvent, void> {
  const { messages } = context.conversation;
  const before = promptTokens(context);
  const plan = planCompaction(messages, KEPT_SHARE * window, mostPromptTokens(window));
  if (plan === null) return;
  yield { type: "notice", text: SUMMARISING };
  const { budget, signal } = context;
  const spent: UsageTotals[] = [];
  let summary: string;
  try {
    summary = await context.summarise(messages.slice(0, plan.cut), { budget, signal, spent });
  } catch (error) {
    yield* spendingEvents(spent, true);
    // The window was only getting full, so the conversation can still be sent without a summary.
    if (signal.aborted || overflowed || before > window) throw error;
    yield { type: "notice", text: `The summary failed (${errorMessage(error)}): going on without it.` };
    return;
  }
  yield* spendingEvents(spent, true);
  const shorter = applySummary(plan, summary);
  if (!isShorter(shorter, messages)) return;
  yield* rewrite(shorter, summary, before, context);
  const left = keptPromptsNotice(plan.kept);
  if (left !== null) yield { type: "notice", text: left };
}

async function* rewrite(
  messages: readonly Message[],
  summary: string | null,
  tokensBefore: number,
  context: RequestContext,
): AsyncGenerator<AgentEvent, void> {
  const { messages: before } = context.conversation;
  if (messages === before) return;
  const tokensAfter = context.fixedTokens + historyTokens(messages);
  yield { type: "compaction", messages, tokensBefore, tokensAfter, summary };
  moveTriedForm(before, context);
}

/** The size of what a call would send: system prompt, tools and conversation. */
function promptTokens(context: RequestContext): number {
  return context.fixedTokens + context.conversation.totalTokens;
}

/** If the vendor reports an overflow, the estimate was too low or the window is smaller than we were told. */
function windowOf(context: RequestContext, overflowed: boolean, estimate: number): number | undefined {
  const known = context.model.contextWindow;
  return overflowed ? Math.min(known ?? estimate, estimate) : known;
}

function tooLarge(context: RequestContext): ProviderError {
  return new ProviderError(
    "context_overflow",
    `The conversation does not fit ${context.model.name}, even shortened. Start a new session, or switch to a model with a larger window.`,
  );
}
