// Defines a tool: its facts, which need nothing from outside, and its work, which is bound to the ports.
import { type output, type ZodObject, z } from "zod";
import type { JsonObject } from "../base/json.ts";
import type { Demand } from "../domain/grant.ts";
import type { CallPreview, Tool, ToolContext, ToolOutput } from "../domain/tool.ts";
import type { FileAccess } from "./file-access.ts";
import type { ToolPorts } from "./ports.ts";

/** What is known about a tool without an agent: rules name tools, and stored conversations show their calls. */
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

/** The ports, and what the tools share with each other. */
export interface DefinitionPorts extends ToolPorts {
  readonly files: FileAccess;
}

export interface ToolDefinition<Arguments extends ZodObject> extends ToolFacts {
  /** The prose of the .md file beside the tool; a function if it depends on the ports. */
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
  // The casts are safe: dispatch passes only arguments that fit the schema, with its defaults filled in.
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

/** Zod states the bounds of a safe integer, which a model needn't read. */
function override({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
