// Settles a history that still ends with a request when a new message arrives. Nothing that a person said is dropped,
// unless the new message says it again: the turn is closed, so that the new message can follow.
import { type Content, contentText } from "../domain/content.ts";
import { INTERRUPTED, type Message, type Request } from "../domain/message.ts";
import { isAnswer, type RequestPart, type UserPromptPart } from "../domain/part.ts";
import type { Repair } from "../domain/repair.ts";
import { isSummary, partsAfterSummary } from "../domain/summary.ts";
import { LOST_BEGINNING } from "./lost-beginning.ts";
import type { Repaired } from "./rule.ts";

export interface NewMessage {
  /** Unanswered prompts with the same words are replaced by it. */
  readonly prompt?: Content;
  /** It is the unanswered prompt, changed or not: the person got it back and sends it again. */
  readonly replacesUnanswered?: boolean;
}

const REPLACED = "The last prompt was never answered; the new one replaces it.";
const KEPT = "The last prompt was never answered. It is kept, and its turn is closed.";
const UNFINISHED = "The turn ended before the model could answer its tool returns; they are kept.";
const UNHEARD = "A remark that the model never answered is removed.";

export function trailingRequest(messages: readonly Message[], given: NewMessage = {}): Repaired {
  const at = messages.length - 1;
  const last = messages[at];
  if (last?.kind !== "request") return { messages, repairs: [] };
  const before = messages.slice(0, at);
  const replaced = new Set<RequestPart>(replacedPrompts(last, given));
  const parts = last.parts.filter((part) => !replaced.has(part));
  const isWorthKeeping = parts.some((part) => isAnswer(part) || isSummary(part) || isPersonsPrompt(part));
  const kept = replaced.size === 0 ? "all" : parts.length > 0 ? "some" : "nothing";
  if (!isWorthKeeping) {
    const repair: Repair =
      replaced.size > 0
        ? { kind: "unanswered-prompt", at, kept, why: REPLACED }
        : { kind: "unfinished-turn", at, kept: "nothing", why: UNHEARD };
    return { messages: before, repairs: [repair] };
  }
  const request = replaced.size === 0 ? last : { ...last, parts };
  return {
    messages: [...before, request, closing()],
    repairs: [{ ...closedBecause(last, replaced), at, kept }],
  };
}

/** The person's prompts at the end that nobody answered; none beside returns, where the model was at work. */
export function unansweredPrompts(messages: readonly Message[]): readonly UserPromptPart[] {
  const last = messages.at(-1);
  if (last?.kind !== "request" || last.parts.some(isAnswer)) return [];
  return partsAfterSummary(last).filter(isPersonsPrompt);
}

export function isPersonsPrompt(part: RequestPart): part is UserPromptPart {
  return part.kind === "user-prompt" && part.content !== LOST_BEGINNING && !isSummary(part);
}

/** Images count by their number and kind. */
export function haveSameWords(one: Content, other: Content): boolean {
  return contentText(one).trim() === contentText(other).trim();
}

function replacedPrompts(
  last: Request,
  { prompt, replacesUnanswered }: NewMessage,
): readonly UserPromptPart[] {
  if (replacesUnanswered === true && !last.parts.some(isAnswer)) return unansweredPrompts([last]);
  if (prompt === undefined) return [];
  const prompts = partsAfterSummary(last).filter(isPersonsPrompt);
  return prompts.filter(({ content }) => haveSameWords(content, prompt));
}

function closedBecause(last: Request, replaced: ReadonlySet<RequestPart>): Pick<Repair, "kind" | "why"> {
  if (replaced.size > 0) return { kind: "unanswered-prompt", why: REPLACED };
  return last.parts.some(isAnswer)
    ? { kind: "unfinished-turn", why: UNFINISHED }
    : { kind: "unanswered-prompt", why: KEPT };
}

/** Returns a new object each time, because the journal knows messages by identity. */
function closing(): Message {
  return { kind: "response", parts: [{ kind: "text", content: INTERRUPTED }] };
}
