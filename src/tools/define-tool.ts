// Makes a tool from a zod schema and a function. What the model is told about its arguments was compiled from the
// same schema beforehand: making eleven schemas and describing them would be a tenth of a start. zod itself is loaded
// with the first call: an answer without one has no use for it.
import type { output, ZodObject } from "zod";
import type { JsonObject } from "../base/json.ts";
import type { Tool, ToolContext, ToolKind, ToolOutput, Validation } from "../domain/tool.ts";
import PARAMETERS from "./parameters.data.json";

/** As schemas are written: `z.object({ path: z.string() })`. */
export type Zod = typeof import("./zod-parts.ts").z;

/** What `execute` is given, by a tool's makeSchema. */
export type ArgumentsOf<MakeSchema extends (z: Zod) => ZodObject> = output<ReturnType<MakeSchema>>;

export interface ToolDefinition<Schema extends ZodObject> {
  readonly name: keyof typeof PARAMETERS;
  readonly kind: ToolKind;
  /** The prose of the .md file beside the tool. */
  readonly description: string;
  /** Called when the first arguments come. After a change: `bun scripts/compile-parameters.ts`. */
  readonly makeSchema: (z: Zod) => Schema;
  readonly deadlineMs?: number;
  readonly asksPerson?: boolean;
  readonly execute: (args: output<Schema>, context: ToolContext) => Promise<ToolOutput>;
}

export function defineTool<Schema extends ZodObject>(definition: ToolDefinition<Schema>): Tool {
  const { name, kind, description, makeSchema, deadlineMs, asksPerson, execute } = definition;
  let schema: Schema | undefined;
  return {
    name,
    kind,
    description: description.trim(),
    parameters: PARAMETERS[name],
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(asksPerson === undefined ? {} : { asksPerson }),
    validate: async (args) => {
      schema ??= makeSchema((await import("./zod-parts.ts")).z);
      return validate(schema, args);
    },
    // Dispatch hands over only what validate returned, so the cast holds.
    execute: (args, context) => execute(args as output<Schema>, context),
  };
}

function validate(schema: ZodObject, args: JsonObject): Validation {
  const result = schema.safeParse(args);
  if (result.success) return { ok: true, args: result.data as JsonObject };
  const problems = result.error.issues.map(
    (issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`,
  );
  return { ok: false, problem: problems.join("; ") };
}
