// A session's title: the beginning of its first prompt, or what a person or a file says, short and on one line.
import { type Content, typedText } from "../domain/content.ts";
import type { Message } from "../domain/message.ts";

const LONGEST_TITLE = 80;

export function titleOf(content: Content): string {
  const words = typedText(content).trim().replaceAll(/\s+/g, " ");
  const characters = [...words.slice(0, 4 * LONGEST_TITLE)];
  return characters.length <= LONGEST_TITLE
    ? characters.join("")
    : `${characters.slice(0, LONGEST_TITLE - 1).join("")}…`;
}

/** For sessions of the old program, which have none. */
export function titleOfHistory(messages: readonly Message[]): string {
  for (const { parts } of messages) {
    const prompt = parts.find((part) => part.kind === "user-prompt");
    if (prompt?.kind === "user-prompt") return titleOf(prompt.content);
  }
  return "";
}
