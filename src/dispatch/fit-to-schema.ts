// Values of the wrong type, read as they were meant: "10" where a number is wanted, "true" where a boolean is, a list as
// JSON in a text, one value where a list of such is wanted. A value is changed only if exactly one reading of it fits. A
// number is never made a text: 1 and 1.0 are the same number, and nobody knows which was written.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { valueAt, wrongPlaces } from "../base/json-schema.ts";
import { isJsonNumber, readOnlyNearlyJson } from "../base/nearly-json.ts";

type Path = readonly string[];
/** undefined: the argument was left out. */
type Reading = JsonValue | undefined;

/** More wrong values than this are no slip, and trying all their readings would take long. */
const MOST_PLACES = 20;
/** A list in a text in a list: enough. */
const MOST_LEVELS = 3;

/** Returns the same object if there is nothing to change. Throws if the schema is wrong. */
export function fitToSchema(args: JsonObject, schema: JsonObject): JsonObject {
  return settledBelow(args, [], wrongPlaces(args, schema), schema, 0);
}

/** The arguments with all values read as meant that are wrong below this place, as far as that can be told. */
function settledBelow(
  args: JsonObject,
  place: Path,
  wrong: readonly Path[],
  schema: JsonObject,
  level: number,
): JsonObject {
  const below = wrong.filter((path) => path.length > place.length && isWithin(path, place));
  if (below.length > MOST_PLACES || level > MOST_LEVELS) return args;
  return below.reduce((fit, path) => settled(fit, path, wrong, schema, level) ?? fit, args);
}

/** The arguments with the only reading that fits at this place; null if there is none, or several. */
function settled(
  args: JsonObject,
  place: Path,
  wrong: readonly Path[],
  schema: JsonObject,
  level: number,
): JsonObject | null {
  const known = new Set(wrong.map(keyOf));
  const found = new Map<string, JsonObject>();
  for (const reading of readingsOf(valueAt(args, place))) {
    const replacement = replaced(args, place, reading);
    if (!isJsonObject(replacement)) continue;
    const left = wrongPlaces(replacement, schema);
    const candidate = settledBelow(replacement, place, left, schema, level + 1);
    const after = candidate === replacement ? left : wrongPlaces(candidate, schema);
    const fits = after.every((path) => !isWithin(path, place) && known.has(keyOf(path)));
    if (fits) found.set(JSON.stringify(valueAt(candidate, place)) ?? "", candidate);
  }
  const [only] = found.size === 1 ? found.values() : [];
  return only ?? null;
}

function readingsOf(value: JsonValue | undefined): Reading[] {
  if (value === undefined || value === null || Array.isArray(value)) return [];
  if (typeof value !== "string") return [[value]];
  const text = value.trim();
  const readings: Reading[] = [];
  if (isJsonNumber(text) && isExact(Number(text))) readings.push(Number(text));
  if (/^(?:true|false)$/i.test(text)) readings.push(text.toLowerCase() === "true");
  if (text === "null" || text === "None") readings.push(undefined);
  if (/^[[{]/.test(text)) {
    const read = readOnlyNearlyJson(text);
    if (read.ok) readings.push(read.value);
  }
  // Several words, or a comma, may stand for several values.
  if (/^[^\s,;|[\]{}"']+$/.test(text)) readings.push([value]);
  return readings;
}

function isExact(number: number): boolean {
  return !Number.isInteger(number) || Number.isSafeInteger(number);
}

function replaced(value: JsonValue | undefined, [name, ...rest]: Path, reading: Reading): Reading {
  if (name === undefined) return reading;
  if (Array.isArray(value))
    return value.map((item, index) =>
      String(index) === name ? (replaced(item, rest, reading) ?? item) : item,
    );
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(
    ([key, item]) => [key, key === name ? replaced(item, rest, reading) : item] as const,
  );
  return Object.fromEntries(
    entries.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined),
  );
}

function isWithin(path: Path, place: Path): boolean {
  return place.every((name, index) => path[index] === name);
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
