// A call's arguments as a vendor delivers them -> an object, or the raw text where they are none.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";

export interface CallArgs {
  readonly args: JsonObject;
  /** What the model wrote, where that is not a JSON object; such a call is never run. */
  readonly rawArgs?: JsonValue;
}

export function readCallArgs(input: string): CallArgs {
  if (input.trim() === "") return { args: {} };
  const parsed = parseJson(input);
  if (!parsed.ok) return { args: {}, rawArgs: input };
  const { value } = parsed;
  if (value === null) return { args: {} };
  if (isJsonObject(value)) return { args: value };
  // Some models write the object as a JSON string.
  const inner = typeof value === "string" ? parseJson(value) : undefined;
  return inner?.ok && isJsonObject(inner.value) ? { args: inner.value } : { args: {}, rawArgs: value };
}
