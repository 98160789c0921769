// Where to cut a history that has grown too long, and how a summary replaces what was cut off. The cut never
// separates a call from its return.
import { hasUserPrompt, type Message, type Request } from "../domain/message.ts";
import { isAnswer, type RequestPart, type UserPromptPart } from "../domain/part.ts";
import { estimateTokens, messageCharacters } from "../domain/tokens.ts";

/** Starts the prompt that contains a summary, to tell it from a person's own words. */
export const SUMMARY_HEADING = "[Summary of the earlier conversation]";

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

/** Puts the summary before the kept end. A cut inside a turn also keeps that turn's prompts in full. */
export function applySummary(messages: readonly Message[], cut: number, summary: string): readonly Message[] {
  const first = messages[cut];
  if (cut <= 0 || first === undefined) return messages;
  const prompt: UserPromptPart = { kind: "user-prompt", content: `${SUMMARY_HEADING}\n\n${summary}` };
  if (first.kind === "request")
    return [{ ...first, parts: [prompt, ...first.parts] }, ...messages.slice(cut + 1)];
  const request: Request = { kind: "request", parts: [prompt, ...promptsOfTurn(messages, cut)] };
  return [request, ...messages.slice(cut)];
}

export function isSummary(part: RequestPart): boolean {
  if (part.kind !== "user-prompt" || typeof part.content !== "string") return false;
  return part.content.startsWith(SUMMARY_HEADING);
}

/** True for a prompt without returns: the response before it, if any, made no calls. */
function startsTurn(message: Message): boolean {
  return message.kind === "request" && hasUserPrompt(message) && !message.parts.some(isAnswer);
}

/** The person's prompts in the turn that is cut, without an earlier summary: the new summary already covers it. */
export function promptsOfTurn(messages: readonly Message[], cut: number): UserPromptPart[] {
  const before = messages.slice(0, cut);
  return before
    .slice(Math.max(0, before.findLastIndex(startsTurn)))
    .flatMap((message) => (message.kind === "request" ? message.parts : []))
    .filter((part) => part.kind === "user-prompt")
    .filter((prompt) => !isSummary(prompt));
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
