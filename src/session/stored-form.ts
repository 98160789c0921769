// A simpler form as the journal and the snapshot store it. What can't be read is left out: the vendor then refuses the
// conversation once more, and it is found again.
import { defined } from "../base/defined.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { SimplerForm } from "../domain/simpler-form.ts";
import { isNumber, isString, storedList } from "./stored-keys.ts";

export function encodeForm({ provider, leftOut, count, always, summary }: SimplerForm): JsonObject {
  return { provider, left_out: leftOut, count, ...defined({ always, summary: summary && { ...summary } }) };
}

export function decodeForm(value: JsonValue | undefined): SimplerForm | undefined {
  if (!isJsonObject(value)) return undefined;
  const { provider, left_out, count, always, summary } = value;
  if (!isString(provider) || !isNumber(count)) return undefined;
  const leftOut = storedList(left_out).filter(isString);
  const form = { provider, leftOut, count, ...(always && { always: storedList(always).filter(isString) }) };
  if (!isJsonObject(summary)) return form;
  const { text, from } = summary;
  return isString(text) && isNumber(from) ? { ...form, summary: { text, from } } : undefined;
}
