// Checks a value against a JSON Schema, and says what is wrong so that a model can put it right: where, what was
// expected, what came. The only place that knows the library behind it.
import { dereference, type OutputUnit, Validator } from "@cfworker/json-schema";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/** Nobody fixes more at once, and a long list would hide the first. */
const MOST_PROBLEMS = 5;
const SHOWN_CHARACTERS = 60;

/** These only say that something inside them is wrong, which is reported separately. */
const PARENTS = new Set(
  `$ref $recursiveRef properties patternProperties additionalProperties unevaluatedProperties items prefixItems
  allOf anyOf oneOf if propertyNames dependentSchemas`.split(/\s+/),
);

const validators = new WeakMap<JsonObject, Validator>();

/**
 * What is wrong, in a few phrases; empty if the value is valid. Throws if the schema itself is wrong: a pattern that
 * can't be read, a $ref that leads nowhere or in circles.
 */
export function schemaProblems(value: JsonValue, schema: JsonObject): readonly string[] {
  const errors = schemaErrors(value, schema);
  const expected = new Map<
    string,
    { readonly given: JsonValue | undefined; readonly phrases: Set<string> }
  >();
  for (const error of errors) {
    const { path, phrase, given = valueAt(value, path) } = expectation(error, schema);
    const where = path.join(".");
    const known = expected.get(where) ?? { given, phrases: new Set() };
    known.phrases.add(phrase);
    expected.set(where, known);
  }
  const problems = [...expected].map(([where, { given, phrases }]) => {
    const told = `expected ${[...phrases].join(" or ")}`;
    const whole = given === undefined ? `missing, ${told}` : `${told}, got ${shown(given)}`;
    return where === "" ? whole : `${where}: ${whole}`;
  });
  const rest = problems.length - MOST_PROBLEMS;
  return rest <= 0 ? problems : [...problems.slice(0, MOST_PROBLEMS), `and ${rest} more`];
}

/** The paths of the values that are wrong. Throws as schemaProblems does. */
export function wrongPlaces(value: JsonValue, schema: JsonObject): readonly (readonly string[])[] {
  const locations = new Set(schemaErrors(value, schema).map(({ instanceLocation }) => instanceLocation));
  return [...locations].map(pointer);
}

function schemaErrors(value: JsonValue, schema: JsonObject): readonly OutputUnit[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    // A copy: the library writes into what it is given, which may be frozen, or shared with another schema.
    validator = new Validator(structuredClone(schema), "2020-12", false);
    validators.set(schema, validator);
  }
  const { valid, errors } = validator.validate(value);
  if (valid) return [];
  const leaves = errors.filter(({ keyword }) => !PARENTS.has(keyword));
  return leaves.length > 0 ? leaves : errors;
}

/** What is wrong with a schema, as far as checking a value could stumble over it one day; null if nothing is. */
export function schemaFault(schema: JsonObject): string | null {
  try {
    const known = dereference(structuredClone(schema));
    const faults = Object.entries(known).map(([place, each]) => faultOf(place, each, known));
    const fault = faults.find((found) => found !== null) ?? null;
    if (fault === null) schemaProblems(null, schema);
    return fault;
  } catch (error) {
    if (error instanceof RangeError) return "a $ref leads in circles";
    return error instanceof Error ? error.message : String(error);
  }
}

const LISTS = ["enum", "required", "allOf", "anyOf", "oneOf"] as const;

function faultOf(
  place: string,
  schema: ReturnType<typeof dereference>[string] | undefined,
  known: object,
): string | null {
  if (typeof schema !== "object") return null;
  const at = `#${URL.parse(place)?.hash.slice(1) ?? ""}`;
  const { type, pattern, patternProperties = {}, __absolute_ref__: reference } = schema;
  const single = LISTS.find((keyword) => !Array.isArray(schema[keyword] ?? []));
  if (single !== undefined) return `${at}: ${single} must be a list`;
  const unknown = [type ?? []].flat().find((name) => !Object.hasOwn(TYPES, name));
  if (unknown !== undefined) return `${at}: ${JSON.stringify(unknown)} is no type`;
  if (reference !== undefined && !Object.hasOwn(known, reference))
    return `${at}: ${schema.$ref} leads nowhere`;
  for (const each of [pattern ?? [], Object.keys(patternProperties)].flat()) new RegExp(each, "u");
  return null;
}

interface Expectation {
  readonly path: readonly string[];
  readonly phrase: string;
  /** What came, if it isn't the value at the path. */
  readonly given?: JsonValue;
}

function expectation(unit: OutputUnit, schema: JsonObject): Expectation {
  const path = pointer(unit.instanceLocation);
  const place = pointer(unit.keywordLocation);
  switch (unit.keyword) {
    case "required": {
      const name = /"(.*)"\.$/s.exec(unit.error)?.[1] ?? "";
      const own = schemaAt(schema, [...place.slice(0, -1), "properties", name, "type"]);
      return { path: [...path, name], phrase: typeWords(own) ?? "a value" };
    }
    case "false":
      return { path, phrase: "nothing of that name" };
    case "pattern":
      if (!place.includes("propertyNames")) break;
      return { path, phrase: `a name that matches ${schemaAt(schema, place)}`, given: path.at(-1) ?? "" };
    default:
  }
  const wanted = schemaAt(schema, place);
  const phrase = wanted === undefined ? null : PHRASES[unit.keyword]?.(wanted);
  return { path, phrase: phrase ?? ownWords(unit.error) };
}

const PHRASES: Readonly<Record<string, (wanted: JsonValue) => string | null>> = {
  type: typeWords,
  enum: (wanted) =>
    Array.isArray(wanted) ? `one of ${wanted.map((each) => JSON.stringify(each)).join(", ")}` : null,
  const: (wanted) => JSON.stringify(wanted),
  minimum: (wanted) => `at least ${wanted}`,
  maximum: (wanted) => `at most ${wanted}`,
  exclusiveMinimum: (wanted) => `more than ${wanted}`,
  exclusiveMaximum: (wanted) => `less than ${wanted}`,
  multipleOf: (wanted) => `a multiple of ${wanted}`,
  minLength: (wanted) => (wanted === 1 ? "some text" : `at least ${wanted} characters`),
  maxLength: (wanted) => `at most ${wanted} characters`,
  minItems: (wanted) => `at least ${wanted} in the list`,
  maxItems: (wanted) => `at most ${wanted} in the list`,
  pattern: (wanted) => `text that matches ${wanted}`,
  format: (wanted) => `text in the format ${wanted}`,
};

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

function typeWords(wanted: JsonValue | undefined): string | null {
  const types = (Array.isArray(wanted) ? wanted : [wanted]).filter((type) => typeof type === "string");
  return types.length === 0 ? null : types.map((type) => TYPES[type] ?? type).join(" or ");
}

/** The library's sentence, made the end of ours. */
function ownWords(error: string): string {
  return `something else (${error.replace(/\.$/, "")})`;
}

/** The parts of `#/a/b~1c`. */
function pointer(location: string): string[] {
  const parts = location.split("/").slice(1);
  return parts.map((part) => decodeURI(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Follows a $ref on the way if it stays in the schema. */
function schemaAt(schema: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((current, part) => {
    const next = valueAt(current, [part]);
    return part === "$ref" && typeof next === "string" ? valueAt(schema, pointer(next)) : next;
  }, schema);
}

export function valueAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((current, part) => {
    if (Array.isArray(current)) return current[Number(part)];
    return isJsonObject(current) && Object.hasOwn(current, part) ? current[part] : undefined;
  }, value);
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}...`;
}
