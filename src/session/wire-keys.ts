// Reads an object of a session file key by key and remembers which keys were understood. The others become `extra`,
// a known key with a value of the wrong type among them, so that nothing in a file is lost by reading it.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";

export interface Keys {
  readonly raw: JsonObject;
  readonly understood: string[];
}

export function readKeys(raw: JsonObject, understood: readonly string[]): Keys {
  return { raw, understood: [...understood] };
}

/** The value, whatever it is. */
export function take(keys: Keys, key: string, missing: JsonValue = null): JsonValue {
  keys.understood.push(key);
  const value = keys.raw[key];
  return value === undefined ? missing : value;
}

/** null is how the old program writes "nothing". */
export function takeIf<Kind extends JsonValue>(
  keys: Keys,
  key: string,
  is: (value: JsonValue) => value is Kind,
): Kind | undefined {
  const value = keys.raw[key];
  if (value === undefined) return undefined;
  if (value === null) {
    keys.understood.push(key);
    return undefined;
  }
  if (!is(value)) return undefined;
  keys.understood.push(key);
  return value;
}

export function takeString(keys: Keys, key: string): string | undefined {
  return takeIf(keys, key, (value) => typeof value === "string");
}

export function takeObject(keys: Keys, key: string): JsonObject | undefined {
  return takeIf(keys, key, isJsonObject);
}

/** Call it last: what nobody has taken by then. */
export function extraOf({ raw, understood }: Keys): { extra?: JsonObject } {
  const names = Object.keys(raw).filter((key) => !understood.includes(key));
  if (names.length === 0) return {};
  // fromEntries and not assignment: a key may be called __proto__.
  return { extra: Object.fromEntries(names.map((key) => [key, raw[key] ?? null])) };
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Only the fields that have a value: an optional field is absent, never undefined. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const result: Defined<Fields> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) result[name] = value as Defined<Fields>[typeof name];
  }
  return result;
}
