// Where a history that has grown too long is cut, and how a summary takes the place of what was cut off. Both sides
// of the cut are whole: no call is separated from its return.
import { hasUserPrompt, type Message, type Request } from "../domain/message.ts";
import { isAnswer, type RequestPart, type UserPromptPart } from "../domain/part.ts";
import { estimateTokens, messageCharacters } from "../domain/tokens.ts";

/** Begins the prompt that holds a summary, so that everyone can tell it from a person's words. */
export const SUMMARY_HEADING = "[Summary of the earlier conversation]";

export interface CutOptions {
  /** The kept end should not be larger. */
  readonly keepTokens: number;
}

/**
 * The index at which the kept end of a valid history begins; 0: nothing to cut. The longest end of whole turns that
 * fits; where the last turn alone is too big, it is cut before one of its responses, at the latest before the last.
 */
export function compactionCut(messages: readonly Message[], { keepTokens }: CutOptions): number {
  const earliest = earliestThatFits(messages, keepTokens);
  const turns = indexes(messages, startsTurn);
  const lastTurn = turns.at(-1) ?? 0;
  // Its first response has only the prompt before it: cutting there would free nothing.
  const responses = indexes(messages, ({ kind }) => kind === "response").filter((at) => at > lastTurn + 1);
  const fits = (at: number) => at >= earliest;
  return turns.find(fits) ?? responses.find(fits) ?? responses.at(-1) ?? lastTurn;
}

/** What is kept, behind a request that holds the summary and, inside a turn, the prompts of that turn in full. */
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

/** A request without returns: the response before it, if any, called nothing. */
function startsTurn(message: Message): boolean {
  return message.kind === "request" && hasUserPrompt(message) && !message.parts.some(isAnswer);
}

/** A person's words of the turn that is cut. An earlier summary among them has become part of the new one. */
function promptsOfTurn(messages: readonly Message[], cut: number): UserPromptPart[] {
  const before = messages.slice(0, cut);
  return before
    .slice(Math.max(0, before.findLastIndex(startsTurn)))
    .flatMap((message) => (message.kind === "request" ? message.parts : []))
    .filter((part) => part.kind === "user-prompt")
    .filter((prompt) => !isSummary(prompt));
}

/** The index from which the history to its end fits; messages.length if not even the last message does. */
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
