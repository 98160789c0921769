// A return is capped before the model sees it; the whole text is kept aside and the cap says where.
import { type Content, type ContentItem, contentText } from "../domain/content.ts";
import { errorMessage } from "../domain/error.ts";
import type { ToolCallId } from "../domain/ids.ts";
import type { KeepAside } from "./ports.ts";

export const MAX_RETURN_CHARACTERS = 50_000;
/** The beginning tells what it is, the end how it went: both are kept. */
const HEAD_SHARE = 0.6;

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
  const headLength = Math.floor(MAX_RETURN_CHARACTERS * HEAD_SHARE);
  const head = text.slice(0, headLength);
  const tail = text.slice(text.length - (MAX_RETURN_CHARACTERS - headLength));
  const cut = text.length - MAX_RETURN_CHARACTERS;
  const where = await keepAside(toolCallId, text).then(
    (path) => `the whole output is in ${path}: read it in parts, or search it`,
    // Losing the rest of an output must not lose the call.
    (error) => `the rest could not be kept: ${errorMessage(error)}`,
  );
  // Well-formed: a cut may go through a pair of surrogates, which no vendor accepts.
  return `${head}\n\n[... ${cut} characters left out; ${where} ...]\n\n${tail}`.toWellFormed();
}
