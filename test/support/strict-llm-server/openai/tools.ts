// OpenAI's rules for function tools: names and parameter schemas, strict ones too.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/base/json.ts";
import { isList, listOf } from "../json-access.ts";
import { type SchemaFault, schemaFaults } from "../tool-schema.ts";
import type { Problem } from "../wire.ts";
import { checkFunctionName, emptyArray, missing, wrongType } from "./parameter.ts";

const MAX_TOOLS = 128;

/** What holds for the list, whatever is in it. */
export function* checkToolList(body: JsonObject): Generator<Problem> {
  const { tools } = body;
  if (isList(tools) && tools.length === 0) yield emptyArray("tools");
  if (isList(tools) && tools.length > MAX_TOOLS) {
    const message = `Invalid 'tools': array too long. Expected an array with maximum length ${MAX_TOOLS}, but got an array with length ${tools.length} instead.`;
    yield { path: "tools", message, code: "array_above_max_length" };
  }
  for (const name of ["tool_choice", "parallel_tool_calls"]) {
    if (tools === undefined && body[name] !== undefined) {
      yield { path: name, message: `'${name}' is only allowed when 'tools' are specified.` };
    }
  }
}

/** A function as chat nests it and Responses lays it flat. */
export function* checkFunction(tool: JsonObject, path: string): Generator<Problem> {
  yield* checkFunctionName(`${path}.name`, tool["name"]);
  const { description, parameters } = tool;
  if (description !== undefined && typeof description !== "string") {
    yield wrongType(`${path}.description`, "a string", description);
  }
  if (parameters === undefined) {
    if (tool["strict"] === true) yield missing(`${path}.parameters`);
    return;
  }
  yield* checkParameters(tool, parameters, `${path}.parameters`);
}

function* checkParameters(tool: JsonObject, parameters: JsonValue, path: string): Generator<Problem> {
  const refused = (why: string): Problem => ({
    path,
    message: `Invalid schema for function '${String(tool["name"])}': ${why}`,
    code: "invalid_function_parameters",
  });
  if (!isJsonObject(parameters)) {
    yield wrongType(path, "an object", parameters);
    return;
  }
  if (parameters["type"] !== "object") {
    const type = typeof parameters["type"] === "string" ? parameters["type"] : "None";
    yield refused(`schema must be a JSON Schema of 'type: "object"', got 'type: "${type}"'.`);
    return;
  }
  for (const fault of schemaFaults(parameters)) yield refused(describe(fault));
  if (tool["strict"] === true) {
    for (const why of strictFaults(parameters, [])) yield refused(why);
  }
}

function describe({ path, fault }: SchemaFault): string {
  const place = `In context=${context(path)}, `;
  switch (fault) {
    case "no-items":
      return `${place}array schema missing items.`;
    case "no-properties":
      return `${place}object schema missing properties.`;
    case "bad-type":
      return `${place}'type' is not valid under any of the given schemas.`;
    case "bad-required":
      return `${place}'required' is not of type 'array'.`;
    case "bad-enum":
      return `${place}'enum' must be a non-empty array.`;
    case "not-an-object":
      return `${place}schema is not of type 'object', 'boolean'.`;
  }
}

function* strictFaults(schema: JsonValue, path: readonly string[]): Generator<string> {
  if (!isJsonObject(schema)) return;
  const { properties, items } = schema;
  if (isJsonObject(properties)) {
    if (schema["additionalProperties"] !== false) {
      yield `In context=${context(path)}, 'additionalProperties' is required to be supplied and to be false.`;
    }
    const required = listOf(schema["required"]);
    const absent = Object.keys(properties).find((name) => !required.includes(name));
    if (absent !== undefined) {
      yield `In context=${context(path)}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${absent}'.`;
    }
    for (const [name, child] of Object.entries(properties)) {
      yield* strictFaults(child, [...path, "properties", name]);
    }
  }
  if (items !== undefined) yield* strictFaults(items, [...path, "items"]);
}

/** As Python prints a tuple. */
function context(path: readonly string[]): string {
  const names = path.map((name) => `'${name}'`).join(", ");
  return path.length === 1 ? `(${names},)` : `(${names})`;
}
