// A call's arguments as models write them: an object, or a string that decodes to one; null and "" mean {}.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";

/** null: not arguments. */
export function decodeArgs(given: JsonValue | undefined): JsonObject | null {
  if (given === undefined || given === null) return {};
  if (isJsonObject(given)) return given;
  if (typeof given !== "string") return null;
  if (given.trim() === "") return {};
  const parsed = parseJson(given);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : null;
}
