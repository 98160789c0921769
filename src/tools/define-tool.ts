// Makes a tool from a zod schema and a function, so that what the model is told and what is checked are one thing.
import { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import type { Tool, ToolContext, ToolKind, ToolOutput, Validation } from "../domain/tool.ts";

export interface ToolDefinition<Schema extends z.ZodObject> {
  readonly name: string;
  readonly kind: ToolKind;
  /** The prose of the .md file beside the tool. */
  readonly description: string;
  readonly schema: Schema;
  readonly deadlineMs?: number;
  readonly asksPerson?: boolean;
  readonly execute: (args: z.output<Schema>, context: ToolContext) => Promise<ToolOutput>;
}

export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): Tool {
  const { name, kind, description, schema, deadlineMs, asksPerson, execute } = definition;
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { io: "input" }) as JsonObject;
  return {
    name,
    kind,
    description: description.trim(),
    parameters,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(asksPerson === undefined ? {} : { asksPerson }),
    validate: (args) => validate(schema, args),
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
