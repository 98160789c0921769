// A call's arguments as models write them: an object, or a text that decodes to one, even twice; null and "" mean {}.
// JSON that is nearly right is read as it was meant.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "../base/json-depth.ts";
import { describePlace, readOnlyNearlyJson } from "../base/nearly-json.ts";

type ReadArguments =
  | { readonly ok: true; readonly args: JsonObject }
  /** Why they are not arguments, and where. */
  | { readonly ok: false; readonly problem: string };

export function readArguments(given: JsonValue | undefined): ReadArguments {
  let value = given;
  for (let round = 0; round < 2 && typeof value === "string"; round++) {
    if (value.trim() === "") return { ok: true, args: {} };
    const read = readText(value);
    if (typeof read === "string") return { ok: false, problem: read };
    value = read.value;
  }
  if (value === undefined || value === null) return { ok: true, args: {} };
  if (!isJsonObject(value)) return { ok: false, problem: `expected an object, got ${kindOf(value)}` };
  // Nobody could write them down again.
  if (isTooDeep(value)) return { ok: false, problem: `nested more than ${MAX_JSON_DEPTH} levels deep` };
  return { ok: true, args: value };
}

/** null: not arguments. */
export function decodeArgs(given: JsonValue | undefined): JsonObject | null {
  const read = readArguments(given);
  return read.ok ? read.args : null;
}

function readText(text: string): { readonly value: JsonValue } | string {
  const exact = parseJson(text);
  if (exact.ok) return exact;
  const read = readOnlyNearlyJson(text);
  if (read.ok) return read;
  // The object was escaped to stand in a text, and then the quotes around it were left out.
  const inner = parseJson(`"${text}"`);
  const unescaped = inner.ok && typeof inner.value === "string" ? parseJson(inner.value) : inner;
  return unescaped.ok ? unescaped : describePlace(text, read);
}

function kindOf(value: JsonValue): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value === "string" ? "text" : typeof value}`;
}
