// Where to cut a history that has grown too long, and how a summary replaces what was cut off. The cut never
// separates a call from its return.
import { hasUserPrompt, type Message, type Request } from "../domain/message.ts";
import { isAnswer, type UserPromptPart } from "../domain/part.ts";
import { partsAfterSummary, summaryParts } from "../domain/summary.ts";
import { estimateTokens, historyTokens, messageCharacters } from "../domain/tokens.ts";
import { type KeptPrompts, keepNewest } from "./kept-prompts.ts";
import { isPersonsPrompt } from "./trailing-request.ts";

/** What a summary would replace, and what stays beside it. */
interface Compaction {
  readonly messages: readonly Message[];
  /** The summary replaces the messages before this index. */
  readonly cut: number;
  readonly kept: KeptPrompts;
}

/** Null: there is nothing to cut off, or too little for a summary to be shorter. */
export function planCompaction(
  messages: readonly Message[],
  keepTokens: number,
  promptTokens: number,
): Compaction | null {
  const cut = compactionCut(messages, keepTokens);
  if (cut === 0) return null;
  const plan = { messages, cut, kept: keepNewest(olderPrompts(messages, cut), promptTokens) };
  return isShorter(applySummary(plan, ""), messages) ? plan : null;
}

/** A summary that is not shorter than what it replaces would only lose information. */
export function isShorter(messages: readonly Message[], before: readonly Message[]): boolean {
  return historyTokens(messages) < historyTokens(before);
}

/** Puts the summary before the kept end. A cut inside a turn also keeps that turn's prompts in full. */
export function applySummary({ messages, cut, kept }: Compaction, summary: string): readonly Message[] {
  const first = messages[cut];
  if (cut <= 0 || first === undefined) return messages;
  const parts = summaryParts(summary, kept.prompts);
  if (first.kind === "request")
    return [{ ...first, parts: [...parts, ...first.parts] }, ...messages.slice(cut + 1)];
  const request: Request = { kind: "request", parts: [...parts, ...promptsOfTurn(messages, cut)] };
  return [request, ...messages.slice(cut)];
}

/**
 * The index at which the kept end of a valid history begins; 0 means nothing to cut. Keeps as many whole turns as fit
 * into keepTokens. If the last turn alone is too big, the cut goes before one of its responses, at the latest before
 * the last one.
 */
export function compactionCut(messages: readonly Message[], keepTokens: number): number {
  const earliest = earliestThatFits(messages, keepTokens);
  const turns = indexes(messages, startsTurn);
  const lastTurn = turns.at(-1) ?? 0;
  // Cutting before the turn's first response would only cut off the prompt, which is kept anyway.
  const responses = indexes(messages, ({ kind }) => kind === "response").filter((at) => at > lastTurn + 1);
  const fits = (at: number) => at >= earliest;
  return turns.find(fits) ?? responses.find(fits) ?? responses.at(-1) ?? lastTurn;
}

/** True for a prompt without returns: the response before it, if any, made no calls. */
function startsTurn(message: Message): boolean {
  return message.kind === "request" && hasUserPrompt(message) && !message.parts.some(isAnswer);
}

/** The person's prompts in the turn that is cut: the work on them goes on. None where the cut is between turns. */
export function promptsOfTurn(messages: readonly Message[], cut: number): UserPromptPart[] {
  if (messages[cut]?.kind === "request") return [];
  const before = messages.slice(0, cut);
  return before
    .slice(Math.max(0, before.findLastIndex(startsTurn)))
    .flatMap((message) => (message.kind === "request" ? partsAfterSummary(message) : []))
    .filter(isPersonsPrompt);
}

/** The person's prompts in what is cut off, oldest first; also those that an earlier summary left beside it. */
export function olderPrompts(messages: readonly Message[], cut: number): UserPromptPart[] {
  const current = new Set(promptsOfTurn(messages, cut));
  return messages
    .slice(0, cut)
    .flatMap((message) => (message.kind === "request" ? message.parts.filter(isPersonsPrompt) : []))
    .filter((prompt) => !current.has(prompt));
}

/** The smallest index whose messages up to the end fit; messages.length if not even the last message does. */
function earliestThatFits(messages: readonly Message[], keepTokens: number): number {
  let characters = 0;
  const tooMuch = messages.findLastIndex((message) => {
    characters += messageCharacters(message);
    return estimateTokens(characters) > keepTokens;
  });
  return tooMuch + 1;
}

function indexes(messages: readonly Message[], matches: (message: Message) => boolean): number[] {
  return messages.flatMap((message, at) => (matches(message) ? [at] : []));
}
