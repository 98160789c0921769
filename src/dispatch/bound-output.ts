// A return is capped before the model sees it; the whole text is kept aside and the cap says where.
import { headAndTail } from "../base/head-and-tail.ts";
import { type ContentItem, contentText } from "../domain/content.ts";
import { errorMessage } from "../domain/error.ts";
import type { ToolCallId } from "../domain/ids.ts";
import type { ToolOutput } from "../domain/tool.ts";
import type { KeepAside } from "./ports.ts";

export const MAX_RETURN_CHARACTERS = 50_000;

type Output = Exclude<ToolOutput, string>;

export async function boundOutput(
  output: Output,
  toolCallId: ToolCallId,
  keepAside: KeepAside,
): Promise<Output> {
  const { content } = output;
  const isImage = (item: ContentItem) => item.type === "image";
  const images = typeof content === "string" ? [] : content.filter(isImage);
  // All words count together, or many short ones would pass; images are bounded by the tool that reads them.
  const words = typeof content === "string" ? content : contentText(content.filter((item) => !isImage(item)));
  if (words.length <= MAX_RETURN_CHARACTERS) return output;
  const { text, ...kept } = await boundText(words, toolCallId, keepAside);
  return { ...output, ...kept, content: images.length === 0 ? text : [{ type: "text", text }, ...images] };
}

async function boundText(
  text: string,
  toolCallId: ToolCallId,
  keepAside: KeepAside,
): Promise<{ readonly text: string; readonly keptIn?: string }> {
  const cut = text.length - MAX_RETURN_CHARACTERS;
  const bounded = (where: string) =>
    headAndTail(text, MAX_RETURN_CHARACTERS, `[... ${cut} characters left out; ${where} ...]`);
  try {
    const keptIn = await keepAside(toolCallId, text);
    return { text: bounded(`the whole output is in ${keptIn}: read it in parts, or search it`), keptIn };
  } catch (error) {
    // Losing the rest of an output must not lose the call.
    return { text: bounded(`the rest could not be kept: ${errorMessage(error)}`) };
  }
}
