// Writes a conversation as a Markdown document, to read or to pass on.
import { contentText } from "../domain/content.ts";
import type { Part } from "../domain/part.ts";
import { describeSummedUp, type ShownMessage } from "../domain/summary.ts";
import type { Status } from "./contract.ts";

export function exportMarkdown(
  messages: readonly ShownMessage[],
  { title, sessionId, model }: Status,
): string {
  const parts = messages.flatMap(messageMarkdown).filter((text) => text !== "");
  return [`# ${title || "Conversation"}`, `Session ${sessionId} · ${model.name}`, ...parts]
    .join("\n\n")
    .concat("\n");
}

function messageMarkdown(message: ShownMessage): string[] {
  return message.kind === "summed-up"
    ? [folded(describeSummedUp(message), message.summary)]
    : message.parts.map(partMarkdown);
}

function partMarkdown(part: Part): string {
  switch (part.kind) {
    case "user-prompt":
      return `## You\n\n${contentText(part.content)}`;
    case "text":
      return `## tunacode\n\n${part.content}`;
    case "thinking":
      return part.content.trim() === "" ? "" : folded("Thought", part.content);
    case "tool-call":
      return fenced(`${part.toolName}(${JSON.stringify(part.args)})`, "");
    case "tool-return":
      return folded(`${part.toolName}: ${part.status ?? "completed"}`, contentText(part.content));
    case "retry-prompt":
    case "unknown":
      return "";
  }
}

function folded(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${fenced(text, "text")}\n\n</details>`;
}

/** The fence is longer than any inside the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
