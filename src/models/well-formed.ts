// Replaces lone surrogates, which a cut through an emoji leaves behind. JSON can carry them, but every vendor refuses
// the whole request because of one.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";

/** Returns the same object if nothing has to change. */
export function wellFormedArgs(args: JsonObject): JsonObject {
  // JSON.stringify escapes only lone surrogates this way, so one search clears most arguments.
  if (!JSON.stringify(args).includes("\\ud")) return args;
  const changed = wellFormed(args);
  return isJsonObject(changed) ? changed : args;
}

function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key.toWellFormed(), wellFormed(entry)]),
  );
}
