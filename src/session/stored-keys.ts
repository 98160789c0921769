// Reads an object of a session file key by key. A key that we don't know becomes `extra`, and so does a known one with
// a value of the wrong type: reading a file loses nothing that is in it.
import type { JsonObject, JsonValue } from "../base/json.ts";
import { cutDepth, isTooDeep, MAX_JSON_DEPTH } from "../base/json-depth.ts";

/** Is told what was not understood, with the value it was found in. */
export type DecodingReport = (reason: string, raw: JsonValue) => void;

export interface Keys {
  readonly raw: JsonObject;
  readonly report: DecodingReport;
  /** Known keys with a value of the wrong type. */
  readonly refused: string[];
}

/** Which fields of an object are stored as they are, and all the keys that are known. */
export interface Shape {
  readonly fields: readonly { readonly name: string; readonly key: string; readonly is: Check<JsonValue> }[];
  readonly known: ReadonlySet<string>;
}

type Check<Kind extends JsonValue> = (value: JsonValue) => value is Kind;

/** `fields` by their names in memory, which are in snake_case on disk; `others` are read and written by hand. */
export function shapeOf(
  others: readonly string[],
  fields: Readonly<Record<string, Check<JsonValue>>>,
): Shape {
  const stored = Object.entries(fields).map(([name, is]) => ({ name, key: snakeCase(name), is }));
  return { fields: stored, known: new Set([...others, ...stored.map(({ key }) => key)]) };
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function withKeys(object: JsonObject, rename: (key: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), value]));
}

export function readKeys(raw: JsonObject, report: DecodingReport): Keys {
  return { raw, report, refused: [] };
}

/** Sets the fields, and `extra`. Has to come last: until then more keys may be refused. */
export function takeFields<Target extends object>(target: Target, keys: Keys, shape: Shape): Target {
  const draft = target as Record<string, unknown>;
  for (const { name, key, is } of shape.fields) set(draft, name, takeIf(keys, key, is));
  set(draft, "extra", extraOf(keys, shape.known));
  return target;
}

export function writeFields<Wire extends JsonObject>(wire: Wire, source: object, { fields }: Shape): Wire {
  const draft: Draft<JsonObject> = wire;
  const values = source as JsonObject;
  for (const { name, key } of fields) set(draft, key, values[name]);
  return wire;
}

/** The value, whatever it is. */
export function take(keys: Keys, key: string): JsonValue | undefined {
  const value = keys.raw[key];
  return typeof value === "object" ? bounded(keys, value) : value;
}

/** The value if it is of the right type. The old program writes null for "nothing". */
export function takeIf<Kind extends JsonValue>(keys: Keys, key: string, is: Check<Kind>): Kind | undefined {
  const value = take(keys, key);
  if (value === undefined || value === null) return undefined;
  if (is(value)) return value;
  keys.refused.push(key);
  return undefined;
}

/** All keys but the known ones, and the known ones that were refused. */
function extraOf(keys: Keys, known: ReadonlySet<string>): JsonObject | undefined {
  const { raw, refused } = keys;
  const names = Object.keys(raw).filter((key) => !known.has(key) || refused.includes(key));
  // fromEntries and not assignment: a key may be called __proto__.
  return names.length === 0
    ? undefined
    : Object.fromEntries(names.map((key) => [key, take(keys, key) ?? null]));
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

export function isString(value: JsonValue | undefined): value is string {
  return typeof value === "string";
}

export function isNumber(value: JsonValue | undefined): value is number {
  return typeof value === "number";
}

export function storedText(value: JsonValue | undefined): string {
  return isString(value) ? value : "";
}

export function storedList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
