// How a tool is made: its facts, which need nothing from outside, and its work, which is bound to the ports.
import { type output, type ZodObject, z } from "zod";
import type { JsonObject } from "../base/json.ts";
import type { Demand } from "../domain/grant.ts";
import type { CallPreview, Tool, ToolContext, ToolOutput } from "../domain/tool.ts";
import type { FileAccess } from "./file-access.ts";
import type { ToolPorts } from "./ports.ts";

/** What is known of a tool before there is an agent: for the words of rules, and for conversations from disk. */
export type ToolFacts = Pick<
  Tool,
  | "name"
  | "deadlineMs"
  | "asksPerson"
  | "isOffered"
  | "ruleTopic"
  | "rulesReachShell"
  | "question"
  | "resultStyle"
> &
  Required<Pick<Tool, "kind" | "label" | "names">>;

/** The ports, and what the tools share among themselves. */
export interface DefinitionPorts extends ToolPorts {
  readonly files: FileAccess;
}

export interface ToolDefinition<Arguments extends ZodObject> extends ToolFacts {
  /** The prose of the .md file beside the tool, where need be changed by the ports. */
  readonly description: string | ((ports: DefinitionPorts) => string);
  readonly schema: Arguments;
  readonly demands: (args: output<Arguments>, ports: DefinitionPorts) => readonly Demand[];
  readonly preview?: (
    args: output<Arguments>,
    ports: DefinitionPorts,
    signal: AbortSignal,
  ) => Promise<CallPreview | null>;
  readonly execute: (
    args: output<Arguments>,
    context: ToolContext,
    ports: DefinitionPorts,
  ) => Promise<ToolOutput>;
}

export interface DefinedTool extends ToolFacts {
  readonly bind: (ports: DefinitionPorts) => Tool;
}

export function defineTool<Arguments extends ZodObject>(definition: ToolDefinition<Arguments>): DefinedTool {
  const { description, schema, demands, preview, execute, ...facts } = definition;
  // Dispatch hands over only what fits the schema, with its defaults filled in, so the casts hold.
  const bind = (ports: DefinitionPorts): Tool => ({
    ...facts,
    description: (typeof description === "string" ? description : description(ports)).trim(),
    parameters: jsonSchema(schema),
    demands: (args) => demands(args as output<Arguments>, ports),
    ...(preview && { preview: (args, signal) => preview(args as output<Arguments>, ports, signal) }),
    execute: (args, context) => execute(args as output<Arguments>, context, ports),
  });
  return { ...facts, bind };
}

function jsonSchema(schema: ZodObject): JsonObject {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { io: "input", override });
  return parameters as JsonObject;
}

/** That a whole number is no larger than JavaScript can count needs no words. */
function override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
