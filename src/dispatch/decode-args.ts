// A call's arguments as models write them: an object, or a string that decodes to one; null and "" mean {}.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { isTooDeep } from "../base/json-depth.ts";

/** null: not arguments, or nested so deeply that nobody could write them down again. */
export function decodeCallArgs(given: JsonValue | undefined): JsonObject | null {
  if (given === undefined || given === null) return {};
  if (isJsonObject(given)) return isTooDeep(given) ? null : given;
  if (typeof given !== "string") return null;
  if (given.trim() === "") return {};
  const parsed = parseJson(given);
  return parsed.ok && isJsonObject(parsed.value) && !isTooDeep(parsed.value) ? parsed.value : null;
}
