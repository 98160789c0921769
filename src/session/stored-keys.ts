// Reads an object of a session file key by key. A key we don't know becomes `extra`, and so does a known one with a
// value of the wrong type: nothing in a file is lost by reading it.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { cutDepth, isTooDeep, MAX_JSON_DEPTH } from "../base/json-depth.ts";

/** Is told what was not understood, with the value it was found in. */
export type DecodingReport = (reason: string, raw: JsonValue) => void;

export interface Keys {
  readonly raw: JsonObject;
  readonly report: DecodingReport;
  /** Known keys with a value of the wrong type; null while there are none, which is nearly always. */
  refused: string[] | null;
}

export function readKeys(raw: JsonObject, report: DecodingReport): Keys {
  return { raw, report, refused: null };
}

/** The value, whatever it is. */
export function take(keys: Keys, key: string): JsonValue | undefined {
  const value = keys.raw[key];
  return typeof value === "object" ? bounded(keys, value) : value;
}

/** The value if it is of the right type. null is how the old program writes "nothing". */
export function takeIf<Kind extends JsonValue>(
  keys: Keys,
  key: string,
  is: (value: JsonValue) => value is Kind,
): Kind | undefined {
  const value = take(keys, key);
  if (value === undefined || value === null) return undefined;
  if (is(value)) return value;
  refuse(keys, key);
  return undefined;
}

export function takeString(keys: Keys, key: string): string | undefined {
  return takeIf(keys, key, isString);
}

export function takeObject(keys: Keys, key: string): JsonObject | undefined {
  return takeIf(keys, key, isJsonObject);
}

export function refuse(keys: Keys, key: string): void {
  keys.refused ??= [];
  keys.refused.push(key);
}

/** All keys but the known ones, and the known ones that were refused. */
export function extraOf(keys: Keys, known: readonly string[]): JsonObject | undefined {
  const { raw, refused } = keys;
  let names: string[] | undefined;
  for (const key in raw) {
    if (known.includes(key) && !refused?.includes(key)) continue;
    names ??= [];
    names.push(key);
  }
  // fromEntries and not assignment: a key may be called __proto__.
  return names && Object.fromEntries(names.map((key) => [key, take(keys, key) ?? null]));
}

/** The value, cut where it is nested too deeply. */
export function bounded({ raw, report }: Keys, value: JsonValue): JsonValue {
  if (!isTooDeep(value)) return value;
  report(`Something is nested over ${MAX_JSON_DEPTH} levels deep.`, raw);
  return cutDepth(value);
}

/** An object while it is being made. */
export type Draft<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** An optional field is absent, never undefined. Assigned and not spread, which is several times slower. */
export function set<Target, Name extends keyof Target>(
  target: Target,
  name: Name,
  value: Target[Name] | undefined,
): void {
  if (value !== undefined) target[name] = value;
}

function isString(value: JsonValue): value is string {
  return typeof value === "string";
}
