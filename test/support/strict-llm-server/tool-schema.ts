// Faults in a tool's parameter schema that vendors refuse; each wire has its own words for them.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/base/json.ts";
import { isList } from "./json-access.ts";

export interface SchemaFault {
  /** As in "properties", "files", "items". */
  readonly path: readonly string[];
  readonly fault: "not-an-object" | "bad-type" | "no-items" | "no-properties" | "bad-required" | "bad-enum";
}

const TYPES: ReadonlySet<string> = new Set([
  "object",
  "array",
  "string",
  "number",
  "integer",
  "boolean",
  "null",
]);

export function* schemaFaults(schema: JsonValue, path: readonly string[] = []): Generator<SchemaFault> {
  if (typeof schema === "boolean") return;
  if (!isJsonObject(schema)) {
    yield { path, fault: "not-an-object" };
    return;
  }
  const types = typesOf(schema);
  if (types.some((type) => !TYPES.has(type.toLowerCase()))) yield { path, fault: "bad-type" };
  if (types.includes("array") && schema["items"] === undefined && schema["prefixItems"] === undefined) {
    yield { path, fault: "no-items" };
  }
  if (types.includes("object") && !isJsonObject(schema["properties"]) && path.length === 0) {
    yield { path, fault: "no-properties" };
  }
  const required = schema["required"];
  if (required !== undefined && !(isList(required) && required.every((entry) => typeof entry === "string"))) {
    yield { path, fault: "bad-required" };
  }
  const choices = schema["enum"];
  if (choices !== undefined && !(isList(choices) && choices.length > 0)) yield { path, fault: "bad-enum" };
  yield* childFaults(schema, path);
}

function* childFaults(schema: JsonObject, path: readonly string[]): Generator<SchemaFault> {
  const properties = schema["properties"];
  if (isJsonObject(properties)) {
    for (const [name, child] of Object.entries(properties)) {
      yield* schemaFaults(child, [...path, "properties", name]);
    }
  }
  const items = schema["items"];
  if (items !== undefined) yield* schemaFaults(items, [...path, "items"]);
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const choices = schema[key];
    if (!isList(choices)) continue;
    for (const [index, child] of choices.entries()) {
      yield* schemaFaults(child, [...path, key, String(index)]);
    }
  }
}

function typesOf(schema: JsonObject): string[] {
  const type = schema["type"];
  if (typeof type === "string") return [type];
  return isList(type) ? type.filter((entry) => typeof entry === "string") : [];
}
