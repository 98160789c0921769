// Makes the conversation fit the model's window before a model call: first old tool returns are cleared, then new
// ones that are too big by themselves are shortened, then the older part is summarised. The journal keeps everything.
import { errorMessage, ProviderError } from "../domain/error.ts";
import type { AgentEvent } from "../domain/event.ts";
import type { Message } from "../domain/message.ts";
import { CHARACTERS_PER_TOKEN, historyTokens } from "../domain/tokens.ts";
import type { UsageTotals } from "../domain/usage.ts";
import { applySummary, compactionCut } from "../history/compaction.ts";
import { PROTECTED_TOKENS, pruneReturns } from "../history/prune.ts";
import { shortenReturns } from "../history/shorten-returns.ts";
import { spendingEvents } from "./call-meter.ts";
import type { RequestContext } from "./request-context.ts";

/** The share of the window above which room is made before the next call. */
const FULL = 0.8;
/** Clearing returns is enough only below this share; otherwise the next call would have to clear again. */
const ROOMY = 0.6;
/** The share of the window for returns that stay whole. */
const PROTECTED_SHARE = 0.3;
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
  const protectTokens = Math.min(PROTECTED_TOKENS, PROTECTED_SHARE * window);
  const limits = { protectTokens, minimumGain: 1, minimumTurns: 0 };
  yield* rewrite(pruneReturns(conversation.messages, limits).messages, null, before, context);
  if (promptTokens(context) > FULL * window) {
    const characters = NEWEST_SHARE * window * CHARACTERS_PER_TOKEN;
    yield* rewrite(shortenReturns(conversation.messages, characters), null, before, context);
  }
  if (promptTokens(context) > ROOMY * window) yield* summarise(window, overflowed, context);

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
  const cut = compactionCut(messages, KEPT_SHARE * window);
  if (cut === 0) return;
  yield { type: "notice", text: SUMMARISING };
  const { budget, signal } = context;
  const spent: UsageTotals[] = [];
  let summary: string;
  try {
    summary = await context.summarise(messages.slice(0, cut), { budget, signal, spent });
  } catch (error) {
    yield* spendingEvents(spent, true);
    // The window was only getting full, so the conversation can still be sent without a summary.
    if (signal.aborted || overflowed || before > window) throw error;
    yield { type: "notice", text: `The summary failed (${errorMessage(error)}): going on without it.` };
    return;
  }
  yield* spendingEvents(spent, true);
  const shorter = applySummary(messages, cut, summary);
  // A summary that is longer than what it replaces would only lose information.
  if (historyTokens(shorter) < context.conversation.totalTokens)
    yield* rewrite(shorter, summary, before, context);
}

async function* rewrite(
  messages: readonly Message[],
  summary: string | null,
  tokensBefore: number,
  context: RequestContext,
): AsyncGenerator<AgentEvent, void> {
  if (messages === context.conversation.messages) return;
  const tokensAfter = context.fixedTokens + historyTokens(messages);
  yield { type: "compaction", messages, tokensBefore, tokensAfter, summary };
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
