// A call's arguments as a vendor delivers them -> an object, or the raw text where they are none.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { isTooDeep } from "../base/json-depth.ts";

export interface CallArgs {
  readonly args: JsonObject;
  /** What the model wrote, where that is not a JSON object; such a call is never run. */
  readonly rawArgs?: JsonValue;
}

export function readCallArgs(input: string): CallArgs {
  if (input.trim() === "") return { args: {} };
  const parsed = parseJson(input);
  // Nested too deeply it could be read but never written again: it stays the text that it is.
  if (!parsed.ok || isTooDeep(parsed.value)) return { args: {}, rawArgs: input };
  const { value } = parsed;
  if (value === null) return { args: {} };
  if (isJsonObject(value)) return { args: value };
  // Some models write the object as a JSON string.
  const inner = typeof value === "string" ? parseJson(value) : undefined;
  const isArgs = inner?.ok && isJsonObject(inner.value) && !isTooDeep(inner.value);
  return isArgs ? { args: inner.value } : { args: {}, rawArgs: value };
}
