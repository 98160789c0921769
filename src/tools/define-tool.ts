// Makes a tool from a zod schema and a function. What the model is told about its arguments was compiled from the
// same schema beforehand: making eleven schemas and describing them would be a tenth of a start.
import type { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import type { Tool, ToolContext, ToolKind, ToolOutput, Validation } from "../domain/tool.ts";
import PARAMETERS from "./parameters.data.json";

export interface ToolDefinition<Schema extends z.ZodObject> {
  readonly name: keyof typeof PARAMETERS;
  readonly kind: ToolKind;
  /** The prose of the .md file beside the tool. */
  readonly description: string;
  /** Called when the first arguments come. After a change: `bun scripts/compile-parameters.ts`. */
  readonly makeSchema: () => Schema;
  readonly deadlineMs?: number;
  readonly asksPerson?: boolean;
  readonly execute: (args: z.output<Schema>, context: ToolContext) => Promise<ToolOutput>;
}

export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): Tool {
  const { name, kind, description, makeSchema, deadlineMs, asksPerson, execute } = definition;
  let schema: Schema | undefined;
  return {
    name,
    kind,
    description: description.trim(),
    parameters: PARAMETERS[name],
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(asksPerson === undefined ? {} : { asksPerson }),
    validate: (args) => {
      schema ??= makeSchema();
      return validate(schema, args);
    },
    // Dispatch hands over only what validate returned, so the cast holds.
    execute: (args, context) => execute(args as z.output<Schema>, context),
  };
}

function validate(schema: z.ZodObject, args: JsonObject): Validation {
  const result = schema.safeParse(args);
  if (result.success) return { ok: true, args: result.data as JsonObject };
  const problems = result.error.issues.map(
    (issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`,
  );
  return { ok: false, problem: problems.join("; ") };
}
