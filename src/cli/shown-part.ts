// Renders a part of a message for a transcript.
import { contentText } from "../domain/content.ts";
import type { Part } from "../domain/part.ts";
import { callLabel } from "./activity.ts";

/** Lines shown of a return. The json output has all of it. */
const MOST_LINES = 10;

export function partLines(part: Part): string {
  switch (part.kind) {
    case "user-prompt":
      return contentText(part.content).replace(/^/gm, "> ");
    case "text":
      return part.content;
    case "thinking":
      return part.content.replace(/^/gm, "~ ");
    case "tool-call":
      return `[${callLabel(part.toolName, part.args)}]`;
    case "tool-return":
      return indented(contentText(part.content));
    case "retry-prompt":
      return indented(typeof part.content === "string" ? part.content : JSON.stringify(part.content));
    case "unknown":
      return indented(JSON.stringify(part.raw));
  }
}

function indented(text: string): string {
  const lines = text.trimEnd().split("\n");
  const shown =
    lines.length > MOST_LINES
      ? [...lines.slice(0, MOST_LINES), `(${lines.length - MOST_LINES} more lines)`]
      : lines;
  return shown.map((line) => `    ${line}`).join("\n");
}
