// Limits the depth of JSON. JSON.parse reads any depth, but JSON.stringify and most of our own functions recurse, so
// a hostile or damaged value would overflow the stack long after it was accepted.
import type { JsonValue } from "./json.ts";

/** Far more than anyone needs, and far less than the stack can take. */
export const MAX_JSON_DEPTH = 500;

const CUT = "[nested too deeply]";

export function isTooDeep(value: JsonValue, depth = MAX_JSON_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((child: JsonValue) => isTooDeep(child, depth - 1));
}

/** Replaces everything that is nested too deeply with a remark. */
export function cutDepth(value: JsonValue, depth = MAX_JSON_DEPTH): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return CUT;
  if (Array.isArray(value)) return value.map((child: JsonValue) => cutDepth(child, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, cutDepth(child, depth - 1)]));
}
