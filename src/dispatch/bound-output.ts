// A return is capped before the model sees it; the whole text is kept aside and the cap says where.
import type { Content, ContentItem } from "../domain/content.ts";
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
  const items: ContentItem[] = [];
  for (const item of content) {
    items.push(
      item.type === "text" ? { ...item, text: await boundText(item.text, toolCallId, keepAside) } : item,
    );
  }
  return items;
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
  return `${head}\n\n[... ${cut} characters left out; ${where} ...]\n\n${tail}`;
}
