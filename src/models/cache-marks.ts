// Anthropic's prompt cache marks, at most three of its four: the end of the system prompt (the tools before it
// included) and the ends of the last two user turns. The later of the two writes the cache, the earlier one is
// where the call before wrote it, so a growing history keeps hitting.
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

const MARK = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;
const MARKED_TURNS = 2;

export function withCacheMarks(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const marked = [...prompt];
  const first = marked[0];
  if (first?.role === "system") marked[0] = withMark(first);
  let turns = 0;
  for (let index = marked.length - 1; index >= 0 && turns < MARKED_TURNS; index--) {
    const message = marked[index];
    // Tool results and the words after them are one user turn on the wire; its last message ends it.
    if (message === undefined || !isUserTurn(message) || isUserTurn(marked[index + 1])) continue;
    marked[index] = withMark(message);
    turns++;
  }
  return marked;
}

function isUserTurn(message: LanguageModelV4Message | undefined): boolean {
  return message?.role === "user" || message?.role === "tool";
}

/** A copy: the message itself is remembered without its mark. */
function withMark<M extends LanguageModelV4Message>(message: M): M {
  return { ...message, providerOptions: MARK };
}
