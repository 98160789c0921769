// Calls a tool as dispatch does: it checks the arguments first, and returns a failure for the model as a value.

import type { JsonObject } from "../../src/base/json.ts";
import { checkArguments } from "../../src/dispatch/check-arguments.ts";
import { contentText } from "../../src/domain/content.ts";
import { ToolError } from "../../src/domain/error.ts";
import { type Grant, UNJUDGED } from "../../src/domain/grant.ts";
import type { Tool } from "../../src/domain/tool.ts";
import { toolContext } from "./tool-context.ts";

export interface ToolRun {
  readonly text: string;
  readonly failed: boolean;
  readonly progress: readonly string[];
}

export async function runTool(
  tool: Tool,
  args: JsonObject,
  signal: AbortSignal = new AbortController().signal,
  grant: Grant = UNJUDGED,
): Promise<ToolRun> {
  const progress: string[] = [];
  const validation = checkArguments(tool, args);
  if (!validation.ok) return { text: validation.problem, failed: true, progress };
  const context = toolContext({ signal, grant, progress: (text) => progress.push(text) });
  try {
    const output = await tool.execute(validation.args, context);
    if (typeof output === "string") return { text: output, failed: false, progress };
    return { text: contentText(output.content), failed: output.failed ?? false, progress };
  } catch (error) {
    if (error instanceof ToolError) return { text: error.message, failed: true, progress };
    throw error;
  }
}
