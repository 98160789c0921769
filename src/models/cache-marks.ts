// Sets Anthropic's prompt cache marks, three of at most four: at the end of the system prompt (which covers the tools
// before it) and at the ends of the last two user turns. The later turn writes the cache. The earlier one is where the
// previous call wrote it, so a growing history keeps hitting.
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
    // Tool results and the text after them are one user turn on the wire, which ends with its last message.
    if (message === undefined || !isUserTurn(message) || isUserTurn(marked[index + 1])) continue;
    marked[index] = withMark(message);
    turns++;
  }
  return marked;
}

function isUserTurn(message: LanguageModelV4Message | undefined): boolean {
  return message?.role === "user" || message?.role === "tool";
}

/** Returns a copy, because the message itself is kept without its mark. */
function withMark<M extends LanguageModelV4Message>(message: M): M {
  return { ...message, providerOptions: MARK };
}
