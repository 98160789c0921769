// Half characters (lone surrogates), which a cut through an emoji leaves behind: JSON can carry them, but every
// vendor refuses the whole request for one. They are replaced by the replacement character on the way out.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";

/** The same object where nothing has to change. */
export function wellFormedArgs(args: JsonObject): JsonObject {
  // JSON.stringify escapes only half characters, so most arguments are cleared by one look.
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
