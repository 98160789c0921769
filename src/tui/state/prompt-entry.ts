// A person's prompt as it is shown: their words, and the names of what they attached.
import { stripTerminalControls } from "../../base/terminal-text.ts";
import type { Content, ContentItem } from "../../domain/content.ts";
import type { PromptEntry } from "./entry.ts";

export function promptEntry(content: Content, at: number | null, steered: boolean): PromptEntry {
  const items: readonly ContentItem[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  const words = items.find((item) => item.type === "text");
  return {
    kind: "prompt",
    text: words?.type === "text" ? stripTerminalControls(words.text) : "",
    attachments: items.filter((item) => item !== words).map(attachmentName),
    at,
    steered,
  };
}

function attachmentName(item: ContentItem): string {
  switch (item.type) {
    case "image":
      return `image (${item.mediaType})`;
    case "text":
      return stripTerminalControls(item.text.split("\n", 1)[0] ?? "");
    case "json":
      return "data";
  }
}
