// A new message comes and the history still ends with a request: words nobody answered make way, finished work stays
// and its turn is closed.
import { INTERRUPTED, type Message } from "../domain/message.ts";
import { isAnswer, type RequestPart } from "../domain/part.ts";
import type { Repair } from "../domain/repair.ts";
import { LOST_BEGINNING } from "./lost-beginning.ts";
import type { Repaired } from "./rule.ts";

export function trailingRequest(messages: readonly Message[]): Repaired {
  const at = messages.length - 1;
  const last = messages[at];
  if (last?.kind !== "request") return { messages, repairs: [] };
  if (last.parts.some(isAnswer)) {
    const why = "The turn ended before the model could answer its tool returns; they are kept.";
    const closing: Message = { kind: "response", parts: [{ kind: "text", content: INTERRUPTED }] };
    return {
      messages: [...messages, closing],
      repairs: [{ kind: "unfinished-turn", at, kept: "all", why }],
    };
  }
  const repair: Repair = last.parts.some(isPersonsPrompt)
    ? {
        kind: "unanswered-prompt",
        at,
        kept: "nothing",
        why: "The last prompt was never answered and leaves the history.",
      }
    : {
        kind: "unfinished-turn",
        at,
        kept: "nothing",
        why: "A remark to the model that it never answered leaves the history.",
      };
  return { messages: messages.slice(0, at), repairs: [repair] };
}

function isPersonsPrompt(part: RequestPart): boolean {
  return part.kind === "user-prompt" && part.content !== LOST_BEGINNING;
}
