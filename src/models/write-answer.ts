// The answer to a tool call as a tool result, and the images that have to travel beside it.
import type { LanguageModelV4ToolResultOutput, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import { type Content, type ContentItem, contentText } from "../domain/content.ts";
import type { AnswerPart } from "../domain/part.ts";
import type { Dialect } from "./dialect.ts";
import { imagePart, itemWords } from "./user-content.ts";
import { wireCallId, wireToolName } from "./wire-names.ts";

export interface WrittenAnswer {
  readonly result: LanguageModelV4ToolResultPart;
  /** For a user message after the results, where the wire takes no images inside them. */
  readonly images: readonly ContentItem[];
}

const NO_OUTPUT = "(no output)";

/** toolName: as the call names it, which is the name that counts on the wire. */
export function writeAnswer(part: AnswerPart, toolName: string, dialect: Dialect): WrittenAnswer {
  const { output, images } = outputOf(part, dialect);
  return {
    result: {
      type: "tool-result",
      toolCallId: wireCallId(part.toolCallId, dialect),
      toolName: wireToolName(toolName, dialect),
      output,
    },
    images:
      images.length === 0
        ? []
        : [{ type: "text", text: `Returned by ${toolName} (${part.toolCallId}):` }, ...images],
  };
}

interface Written {
  readonly output: LanguageModelV4ToolResultOutput;
  readonly images: readonly ContentItem[];
}

function outputOf(part: AnswerPart, dialect: Dialect): Written {
  if (part.kind === "retry-prompt") {
    const text = typeof part.content === "string" ? part.content : JSON.stringify(part.content);
    return { output: { type: "error-text", value: orNoOutput(text) }, images: [] };
  }
  if (part.status === "failed" || part.status === "cancelled")
    return { output: { type: "error-text", value: orNoOutput(contentText(part.content)) }, images: [] };
  return writeContent(part.content, dialect);
}

function writeContent(content: Content, dialect: Dialect): Written {
  // Nearly all are texts, and in a long session they are most of its memory: the string itself, never a copy.
  if (typeof content === "string")
    return { output: { type: "text", value: orNoOutput(content) }, images: [] };
  const images = content.filter((item) => imagePart(item, dialect) !== undefined);
  const words = content.filter((item) => !images.includes(item)).map(itemWords);
  const text = orNoOutput(words.join("\n"));
  if (images.length === 0) return { output: { type: "text", value: text }, images: [] };
  if (!dialect.imagesInResults) {
    const shown = words.join("\n").trim() === "" ? "The image follows in the next message." : text;
    return { output: { type: "text", value: shown }, images };
  }
  const files = images.flatMap((item) => imagePart(item, dialect) ?? []);
  const value = words.join("\n").trim() === "" ? files : [{ type: "text" as const, text }, ...files];
  return { output: { type: "content", value }, images: [] };
}

/** Several vendors refuse a blank result, and a model reads one as a fault. */
function orNoOutput(text: string): string {
  return text.trim() === "" ? NO_OUTPUT : text.toWellFormed();
}
