// Defines a tool: its facts, which need nothing from outside, and its work, which is bound to the ports.
import { type output, type ZodObject, z } from "zod";
import type { JsonObject } from "../base/json.ts";
import type { Demand } from "../domain/grant.ts";
import type { CallPreview, Tool, ToolContext, ToolOutput } from "../domain/tool.ts";
import type { FileAccess } from "./file-access.ts";
import type { ToolPorts } from "./ports.ts";

/** What is known about a tool without an agent: rules name tools, and stored conversations show their calls. */
type ToolFacts = Omit<Tool, "description" | "parameters" | "demands" | "preview" | "execute"> &
  Required<Pick<Tool, "kind" | "label" | "names">>;

/** The ports, and what the tools share with each other. */
export interface DefinitionPorts extends ToolPorts {
  readonly files: FileAccess;
}

interface ToolDefinition<Shape extends ZodObject, Arguments = output<Shape>> extends ToolFacts {
  /** The prose of the .md file beside the tool; a function if it depends on the ports. */
  readonly description: string | ((ports: DefinitionPorts) => string);
  readonly schema: Shape;
  readonly demands: (args: Arguments, ports: DefinitionPorts) => readonly Demand[];
  readonly preview?: (
    args: Arguments,
    ports: DefinitionPorts,
    signal: AbortSignal,
  ) => Promise<CallPreview | null>;
  readonly execute: (args: Arguments, context: ToolContext, ports: DefinitionPorts) => Promise<ToolOutput>;
}

export interface DefinedTool extends ToolFacts {
  readonly bind: (ports: DefinitionPorts) => Tool;
}

export function defineTool<Shape extends ZodObject>(definition: ToolDefinition<Shape>): DefinedTool {
  const { description, schema, demands, preview, execute, ...facts } = definition;
  // The casts are safe: dispatch passes only arguments that fit the schema, with its defaults filled in.
  const bind = (ports: DefinitionPorts): Tool => ({
    ...facts,
    description: (typeof description === "string" ? description : description(ports)).trim(),
    parameters: jsonSchema(schema),
    demands: (args) => demands(args as output<Shape>, ports),
    ...(preview && { preview: (args, signal) => preview(args as output<Shape>, ports, signal) }),
    execute: (args, context) => execute(args as output<Shape>, context, ports),
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
