// Makes a tool from a schema and a function. A schema is a function of zod: calls are checked with the quick one, which
// takes no time to load. What the model is told about the arguments was compiled from the same schema with the whole
// zod, beforehand.
import type { output, ZodObject, z as zod } from "zod";
import type { JsonObject } from "../base/json.ts";
import { z } from "../base/quick-zod.ts";
import { Refusal } from "../base/refusal.ts";
import { problemsIn, type Schema } from "../base/schema.ts";
import type { Tool, ToolContext, ToolKind, ToolOutput, Validation } from "../domain/tool.ts";
import PARAMETERS from "./parameters.data.json";

/** As schemas are written: `z.object({ path: z.string() })`. */
export type Zod = Pick<typeof zod, "array" | "boolean" | "int" | "number" | "object" | "record" | "string">;

/** What `execute` is given, by a tool's makeSchema. */
export type ArgumentsOf<MakeSchema extends (z: Zod) => ZodObject> = output<ReturnType<MakeSchema>>;

export interface ToolDefinition<Arguments extends ZodObject> {
  readonly name: keyof typeof PARAMETERS;
  readonly kind: ToolKind;
  /** The prose of the .md file beside the tool. */
  readonly description: string;
  /** Called when the first arguments come. After a change: `bun scripts/compile-parameters.ts`. */
  readonly makeSchema: (z: Zod) => Arguments;
  readonly deadlineMs?: number;
  readonly asksPerson?: boolean;
  readonly execute: (args: output<Arguments>, context: ToolContext) => Promise<ToolOutput>;
}

export function defineTool<Arguments extends ZodObject>(definition: ToolDefinition<Arguments>): Tool {
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
      schema ??= quickSchema(makeSchema);
      return validate(schema, args);
    },
    // Dispatch hands over only what validate returned, so the cast holds.
    execute: (args, context) => execute(args as output<Arguments>, context),
  };
}

/** The quick zod has the methods that schemas call, and none of zod's types. */
function quickSchema(makeSchema: (z: Zod) => unknown): Schema {
  return makeSchema(z as unknown as Zod) as Schema;
}

function validate(schema: Schema, args: JsonObject): Validation {
  const stranger = strangers(schema, args);
  const first = schema.check(args);
  const checked = first instanceof Refusal ? schema.check(withoutNulls(args)) : first;
  if (checked instanceof Refusal)
    return { ok: false, problem: [...problemsIn(args, schema), ...stranger].join("; ") };
  const remark = stranger.map((named) => `Passed over: ${named}.`);
  return { ok: true, args: checked as JsonObject, ...(remark[0] !== undefined && { remark: remark[0] }) };
}

/** Many models write null for what they leave out. */
function withoutNulls(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

const NAMES_SHOWN = 200;

/** Arguments there are none of, likely misspelt ones: whoever meant something by them has to know. At most one sentence. */
function strangers({ shape }: Schema, args: JsonObject): string[] {
  const unknown = Object.keys(args).filter((key) => !Object.hasOwn(shape, key));
  if (unknown.length === 0) return [];
  const names = unknown.join(", ").slice(0, NAMES_SHOWN);
  return [`${names}: not known here, the arguments are ${Object.keys(shape).join(", ")}`];
}
