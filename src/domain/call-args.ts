// A call's arguments as models write them: an object, or a text that decodes to one, even twice; null and "" mean {}.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { isTooDeep } from "../base/json-depth.ts";

/** null: not arguments, or nested so deeply that nobody could write them down again. */
export function decodeArgs(given: JsonValue | undefined): JsonObject | null {
  let value = given;
  for (let round = 0; round < 2 && typeof value === "string"; round++) {
    if (value.trim() === "") return {};
    const parsed = parseJson(value);
    if (!parsed.ok) return null;
    value = parsed.value;
  }
  if (value === undefined || value === null) return {};
  return isJsonObject(value) && !isTooDeep(value) ? value : null;
}
