// A history has to begin with a user prompt. If that was lost, a placeholder prompt says so.
import { hasUserPrompt, type Message } from "../domain/message.ts";
import type { UserPromptPart } from "../domain/part.ts";
import type { Repaired } from "./rule.ts";

export const LOST_BEGINNING = "[Earlier messages were lost]";

export function lostBeginning(messages: readonly Message[]): Repaired {
  const first = messages[0];
  if (first === undefined || hasUserPrompt(first)) return { messages, repairs: [] };
  const prompt: UserPromptPart = { kind: "user-prompt", content: LOST_BEGINNING };
  const why = "The history began without a prompt; a note now says that earlier messages were lost.";
  return {
    messages:
      first.kind === "request"
        ? [{ ...first, parts: [prompt, ...first.parts] }, ...messages.slice(1)]
        : [{ kind: "request", parts: [prompt] }, ...messages],
    repairs: [{ kind: "lost-beginning", at: 0, kept: "all", why }],
  };
}
