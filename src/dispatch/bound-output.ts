// A return is capped before the model sees it; the whole text is kept aside and the cap says where.
import { headAndTail } from "../base/head-and-tail.ts";
import { type Content, type ContentItem, contentText } from "../domain/content.ts";
import { errorMessage } from "../domain/error.ts";
import type { ToolCallId } from "../domain/ids.ts";
import type { KeepAside } from "./ports.ts";

export const MAX_RETURN_CHARACTERS = 50_000;

export async function boundOutput(
  content: Content,
  toolCallId: ToolCallId,
  keepAside: KeepAside,
): Promise<Content> {
  if (typeof content === "string") return boundText(content, toolCallId, keepAside);
  const isImage = (item: ContentItem) => item.type === "image";
  const words = contentText(content.filter((item) => !isImage(item)));
  if (words.length <= MAX_RETURN_CHARACTERS) return content;
  // All words count together, or many short ones would pass; images are bounded by the tool that reads them.
  const text = await boundText(words, toolCallId, keepAside);
  return [{ type: "text", text }, ...content.filter(isImage)];
}

async function boundText(text: string, toolCallId: ToolCallId, keepAside: KeepAside): Promise<string> {
  if (text.length <= MAX_RETURN_CHARACTERS) return text;
  const cut = text.length - MAX_RETURN_CHARACTERS;
  const where = await keepAside(toolCallId, text).then(
    (path) => `the whole output is in ${path}: read it in parts, or search it`,
    // Losing the rest of an output must not lose the call.
    (error) => `the rest could not be kept: ${errorMessage(error)}`,
  );
  return headAndTail(text, MAX_RETURN_CHARACTERS, `[... ${cut} characters left out; ${where} ...]`);
}
