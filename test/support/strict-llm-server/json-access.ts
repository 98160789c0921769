// Reading JSON of unknown shape without casts.
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/base/json.ts";

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : [];
}

/** The objects of a list; anything else in it is left out. */
export function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return listOf(value).filter(isJsonObject);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** "a string", "an object", "null": as OpenAI's messages name types. */
export function typeName(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "null";
  if (isList(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal";
  return typeof value === "boolean" ? "a boolean" : "a string";
}

export function unknownKeys(value: JsonObject, known: ReadonlySet<string>): string[] {
  return Object.keys(value).filter((key) => !known.has(key));
}

/** Finds a lone surrogate. JSON.stringify escapes it, and every vendor's parser rejects it. */
export function hasLoneSurrogate(value: JsonValue): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  if (isList(value)) return value.some(hasLoneSurrogate);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, entry]) => !key.isWellFormed() || hasLoneSurrogate(entry));
}
