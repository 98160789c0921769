// Function declarations: names, and schemas in Google's own dialect or as JSON Schema.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../src/base/json.ts";
import { listOf, textOf, unknownKeys } from "../json-access.ts";
import { schemaFaults } from "../tool-schema.ts";
import type { Problem } from "../wire.ts";
import { FUNCTION_NAME_RULE, isFunctionName } from "./part.ts";
import { request, unknownName } from "./place.ts";

const DECLARATION_KEYS = new Set(
  "name description parameters parametersJsonSchema response responseJsonSchema behavior".split(" "),
);
const SCHEMA_KEYS = new Set(
  `type format title description nullable enum items maxItems minItems properties required minProperties
  maxProperties minLength maxLength pattern example anyOf propertyOrdering default minimum maximum`.split(
    /\s+/,
  ),
);

export function* checkDeclarations(tools: JsonValue | undefined): Generator<Problem> {
  const names = new Set<string>();
  for (const [index, tool] of listOf(tools).entries()) {
    const declarations = isJsonObject(tool) ? listOf(tool["functionDeclarations"]) : [];
    for (const [place, declaration] of declarations.entries()) {
      if (!isJsonObject(declaration)) continue;
      const path = `tools[${index}].function_declarations[${place}]`;
      yield* checkDeclaration(declaration, path);
      const name = textOf(declaration["name"]);
      if (names.has(name)) yield { path, message: `Duplicate function declaration found: ${name}` };
      names.add(name);
    }
  }
}

function* checkDeclaration(declaration: JsonObject, path: string): Generator<Problem> {
  for (const key of unknownKeys(declaration, DECLARATION_KEYS)) yield unknownName(key, path);
  const name = textOf(declaration["name"]);
  if (!isFunctionName(name)) yield request(`${path}.name`, FUNCTION_NAME_RULE);
  const { parameters, parametersJsonSchema } = declaration;
  if (isJsonObject(parameters)) yield* checkDialect(parameters, `${path}.parameters`, name, true);
  if (isJsonObject(parametersJsonSchema)) {
    if (textOf(parametersJsonSchema["type"]).toLowerCase() !== "object") yield notAnObject(name, path);
    for (const fault of schemaFaults(parametersJsonSchema)) {
      if (fault.fault === "no-properties" || fault.fault === "no-items") continue;
      yield request(`${path}.parameters_json_schema`, `invalid schema at ${fault.path.join(".")}`);
    }
  }
}

function notAnObject(name: string, path: string): Problem {
  return {
    path,
    message: `Unable to submit request because \`${name}\` functionDeclaration \`parameters\` schema should be of type OBJECT.`,
  };
}

/** A subset of OpenAPI: names it doesn't know are refused, not ignored. */
function* checkDialect(schema: JsonObject, path: string, name: string, isTop: boolean): Generator<Problem> {
  for (const key of unknownKeys(schema, SCHEMA_KEYS)) yield unknownName(key, path);
  const type = textOf(schema["type"]).toLowerCase();
  if (isTop && type !== "object") yield notAnObject(name, path);
  const { properties, items } = schema;
  if (type === "object") {
    if (!isJsonObject(properties) || Object.keys(properties).length === 0) {
      yield request(`${path}.properties`, "should be non-empty for OBJECT type");
    } else {
      for (const [key, child] of Object.entries(properties)) {
        if (isJsonObject(child)) yield* checkDialect(child, `${path}.properties[${key}]`, name, false);
      }
    }
  }
  if (type === "array" && items === undefined) yield request(`${path}.items`, "missing field.");
  if (isJsonObject(items)) yield* checkDialect(items, `${path}.items`, name, false);
  if (schema["enum"] !== undefined && type !== "string") {
    yield request(`${path}.enum`, "only allowed for STRING type");
  }
}
