// Caps a return before the model sees it. The whole text is saved in a file, and the return says where.
import { untilAbort } from "../base/abort.ts";
import { headAndTail } from "../base/head-and-tail.ts";
import { type ContentItem, contentText } from "../domain/content.ts";
import { errorMessage } from "../domain/error.ts";
import type { ToolCallId } from "../domain/ids.ts";
import type { ToolOutput } from "../domain/tool.ts";
import type { DispatchPorts } from "./ports.ts";

const MAX_RETURN_CHARACTERS = 50_000;

type Output = Exclude<ToolOutput, string>;

export async function boundOutput(
  output: Output,
  toolCallId: ToolCallId,
  { keepAside, signal }: DispatchPorts,
): Promise<Output> {
  const items: readonly ContentItem[] =
    typeof output.content === "string" ? [{ type: "text", text: output.content }] : output.content;
  // All text is counted together, or many short pieces would pass; images are bounded by the tool that reads them.
  const images = items.filter((item) => item.type === "image");
  const text = contentText(items.filter((item) => item.type !== "image"));
  const left = text.length - MAX_RETURN_CHARACTERS;
  if (left <= 0) return output;
  const bounded = (where: string) => {
    const shown = headAndTail(text, MAX_RETURN_CHARACTERS, `[... ${left} characters left out; ${where} ...]`);
    return images.length === 0 ? shown : [{ type: "text" as const, text: shown }, ...images];
  };
  try {
    const keptIn = await untilAbort(keepAside(toolCallId, text), signal);
    const content = bounded(`the whole output is in ${keptIn}: read it in parts, or search it`);
    return { ...output, content, keptIn };
  } catch (error) {
    // Losing the rest of an output must not lose the call.
    return { ...output, content: bounded(`the rest could not be kept: ${errorMessage(error)}`) };
  }
}
