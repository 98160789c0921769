// Checks a call's arguments against its tool's schema, and returns them as the tool gets them: values of the wrong type
// are read as meant, defaults are filled in, and unknown names are removed, as are nulls, which many models write for an
// argument they leave out.
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { schemaProblems } from "../base/json-schema.ts";
import { errorMessage } from "../domain/error.ts";
import type { ToolSpec } from "../domain/tool.ts";
import { fitToSchema } from "./fit-to-schema.ts";

/** `remark` is told to the model together with the result. */
type CheckedArguments =
  | { readonly ok: true; readonly args: JsonObject; readonly remark?: string }
  | { readonly ok: false; readonly problem: string };

const NAMES_SHOWN = 200;

export function checkArguments({ name, parameters }: ToolSpec, args: JsonObject): CheckedArguments {
  try {
    const { known, strangers } = sortOut(args, parameters);
    const fit = fitToSchema(known, parameters);
    const given = schemaProblems(fit, parameters).length === 0 ? fit : withoutNulls(fit, parameters);
    const problems = given === fit ? [] : schemaProblems(given, parameters);
    if (problems.length > 0) return { ok: false, problem: [...problems, ...strangers].join("; ") };
    const remark = strangers.map((named) => ({ remark: `Passed over: ${named}.` }))[0];
    return { ok: true, args: withDefaults(given, parameters), ...remark };
  } catch (error) {
    const why = error instanceof RangeError ? "it is nested without end" : errorMessage(error).split("\n")[0];
    return { ok: false, problem: `they can't be checked, because the schema of ${name} is wrong: ${why}` };
  }
}

/** The arguments as shown, asked about and kept: as they were written, but with values of the types that were meant. */
export function asMeant(spec: ToolSpec, args: JsonObject): JsonObject {
  try {
    const fit = fitToSchema(args, spec.parameters);
    return fit === args || checkArguments(spec, fit).ok ? fit : args;
  } catch {
    // The schema is wrong, and the check before the call runs says so.
    return args;
  }
}

/** An unknown name is probably misspelt, so the model is told about it. `strangers` has at most one sentence. */
function sortOut(args: JsonObject, parameters: JsonObject): { known: JsonObject; strangers: string[] } {
  const { properties } = parameters;
  const isClosed = isJsonObject(properties) && !OPENING.some((key) => Object.hasOwn(parameters, key));
  if (!isClosed) return { known: args, strangers: [] };
  const unknown = Object.keys(args).filter((key) => !Object.hasOwn(properties, key));
  if (unknown.length === 0) return { known: args, strangers: [] };
  const names = unknown.join(", ").slice(0, NAMES_SHOWN);
  const known = Object.fromEntries(Object.entries(args).filter(([key]) => Object.hasOwn(properties, key)));
  const told = `${names}: not known here, the arguments are ${Object.keys(properties).join(", ")}`;
  return { known, strangers: [told] };
}

/** A schema with one of these may allow more than its properties, or rules on other names itself. */
const OPENING = [
  "additionalProperties",
  "patternProperties",
  "unevaluatedProperties",
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
];

function withoutNulls(args: JsonObject, { required }: JsonObject): JsonObject {
  const needed = Array.isArray(required) ? required : [];
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => value !== null || needed.includes(name)),
  );
}

function withDefaults(args: JsonObject, { properties }: JsonObject): JsonObject {
  if (!isJsonObject(properties)) return args;
  const missing = Object.entries(properties).flatMap(([name, schema]) =>
    isJsonObject(schema) && schema["default"] !== undefined && !Object.hasOwn(args, name)
      ? [[name, structuredClone(schema["default"])] as const]
      : [],
  );
  return missing.length === 0 ? args : { ...args, ...Object.fromEntries(missing) };
}
