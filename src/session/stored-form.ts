// A simpler form as the journal and the snapshot store it. What can't be read is left out: the vendor then refuses the
// conversation once more, and it is found again.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { SimplerForm } from "../domain/simpler-form.ts";
import { isNumber, isString, storedList } from "./stored-keys.ts";

export function encodeForm({ provider, leftOut, count, summary }: SimplerForm): JsonObject {
  return { provider, left_out: leftOut, count, ...(summary && { summary: { ...summary } }) };
}

export function decodeForm(value: JsonValue | undefined): SimplerForm | undefined {
  if (!isJsonObject(value)) return undefined;
  const { provider, left_out, count, summary } = value;
  if (!isString(provider) || !isNumber(count)) return undefined;
  const leftOut = storedList(left_out).filter(isString);
  if (!isJsonObject(summary)) return { provider, leftOut, count };
  const { text, from } = summary;
  return isString(text) && isNumber(from) ? { provider, leftOut, count, summary: { text, from } } : undefined;
}
