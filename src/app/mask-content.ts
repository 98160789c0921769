// Masks the keys we hold in prompts and in what tools return, for the model and the screen.
import type { Content } from "../domain/content.ts";
import type { Tool } from "../domain/tool.ts";
import { changeTexts } from "../domain/tool-details.ts";

type MaskText = (text: string) => string;

export function maskContent(content: Content, mask: MaskText): Content {
  if (typeof content === "string") return mask(content);
  return content.map((item) => (item.type === "text" ? { ...item, text: mask(item.text) } : item));
}

export function maskedTool(tool: Tool, mask: MaskText): Tool {
  const { preview } = tool;
  return {
    ...tool,
    execute: async (args, context) => {
      const progress = (text: string) => context.progress(mask(text));
      const output = await tool.execute(args, { ...context, progress });
      if (typeof output === "string") return mask(output);
      const details = output.details && { details: changeTexts(output.details, mask) };
      return { ...output, content: maskContent(output.content, mask), ...details };
    },
    ...(preview && {
      preview: async (args, signal) => {
        const shown = await preview(args, signal);
        if (shown === null) return null;
        return shown.type === "diff"
          ? { ...shown, diff: mask(shown.diff) }
          : { ...shown, reason: mask(shown.reason) };
      },
    }),
  };
}
