// Settles a history that still ends with a request when a new message arrives. Unanswered prompts and remarks are
// dropped. Finished work and the summary of an earlier conversation are kept, and their turn is closed.
import { INTERRUPTED, type Message } from "../domain/message.ts";
import { isAnswer, type RequestPart } from "../domain/part.ts";
import type { Repair } from "../domain/repair.ts";
import { isSummary } from "./compaction.ts";
import { LOST_BEGINNING } from "./lost-beginning.ts";
import type { Repaired } from "./rule.ts";

const UNANSWERED = "The last prompt was never answered and is removed.";
const UNHEARD = "A remark that the model never answered is removed.";

export function trailingRequest(messages: readonly Message[]): Repaired {
  const at = messages.length - 1;
  const last = messages[at];
  if (last?.kind !== "request") return { messages, repairs: [] };
  if (last.parts.some(isAnswer)) {
    const why = "The turn ended before the model could answer its tool returns; they are kept.";
    const repair: Repair = { kind: "unfinished-turn", at, kept: "all", why };
    return { messages: [...messages, closing()], repairs: [repair] };
  }
  const before = messages.slice(0, at);
  const summary = last.parts.filter(isSummary);
  if (summary.length > 0) {
    const why = "The last prompt was never answered and is removed; the summary beside it is kept.";
    const repair: Repair = { kind: "unanswered-prompt", at, kept: "some", why };
    return { messages: [...before, { ...last, parts: summary }, closing()], repairs: [repair] };
  }
  const repair: Repair = last.parts.some(isPersonsPrompt)
    ? { kind: "unanswered-prompt", at, kept: "nothing", why: UNANSWERED }
    : { kind: "unfinished-turn", at, kept: "nothing", why: UNHEARD };
  return { messages: before, repairs: [repair] };
}

/** Returns a new object each time, because the journal knows messages by identity. */
function closing(): Message {
  return { kind: "response", parts: [{ kind: "text", content: INTERRUPTED }] };
}

function isPersonsPrompt(part: RequestPart): boolean {
  return part.kind === "user-prompt" && part.content !== LOST_BEGINNING;
}
