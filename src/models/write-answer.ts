// Writes the answer to a tool call as a tool result, and the images that have to be sent beside it.
import type { LanguageModelV4ToolResultOutput, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import { isBlank } from "../base/blank.ts";
import { type Content, type ContentItem, contentText } from "../domain/content.ts";
import type { AnswerPart } from "../domain/part.ts";
import type { Dialect } from "./dialect.ts";
import { imagePart, itemWords, retryText } from "./user-content.ts";
import { wireCallId, wireToolName } from "./wire-names.ts";

interface WrittenAnswer {
  readonly result: LanguageModelV4ToolResultPart;
  /** For a user message after the results, if the wire takes no images inside them. */
  readonly images: readonly ContentItem[];
}

const NO_OUTPUT = "(no output)";
const IMAGE_FOLLOWS = "The image follows in the next message.";

/** toolName: the name in the call, because that is the one the wire needs. */
export function writeAnswer(part: AnswerPart, toolName: string, dialect: Dialect): WrittenAnswer {
  const { output, images = [] } = outputOf(part, dialect);
  const heading: ContentItem = { type: "text", text: `Returned by ${toolName} (${part.toolCallId}):` };
  return {
    result: {
      type: "tool-result",
      toolCallId: wireCallId(part.toolCallId, dialect),
      toolName: wireToolName(toolName, dialect),
      output,
    },
    images: images.length === 0 ? [] : [heading, ...images],
  };
}

interface Written {
  readonly output: LanguageModelV4ToolResultOutput;
  readonly images?: readonly ContentItem[];
}

function outputOf(part: AnswerPart, dialect: Dialect): Written {
  if (part.kind === "retry-prompt")
    return { output: { type: "error-text", value: orNoOutput(retryText(part)) } };
  if (part.status === "failed" || part.status === "cancelled")
    return { output: { type: "error-text", value: orNoOutput(contentText(part.content)) } };
  return writeContent(part.content, dialect);
}

function writeContent(content: Content, dialect: Dialect): Written {
  // Nearly all are texts, which are most of a long session's memory, so the string itself is passed and never a copy.
  if (typeof content === "string") return { output: { type: "text", value: orNoOutput(content) } };
  const images = content.filter((item) => imagePart(item, dialect) !== undefined);
  const words = content.filter((item) => !images.includes(item)).map(itemWords);
  const text = words.join("\n").toWellFormed();
  if (images.length === 0) return { output: { type: "text", value: orNoOutput(text) } };
  if (!dialect.imagesInResults)
    return { output: { type: "text", value: isBlank(text) ? IMAGE_FOLLOWS : text }, images };
  const files = images.flatMap((item) => imagePart(item, dialect) ?? []);
  const value = isBlank(text) ? files : [{ type: "text" as const, text }, ...files];
  return { output: { type: "content", value } };
}

/** Several vendors refuse a blank result, and models take one for a failure. */
function orNoOutput(text: string): string {
  return isBlank(text) ? NO_OUTPUT : text.toWellFormed();
}
