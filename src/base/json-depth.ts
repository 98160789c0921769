// Bounds how deep JSON is nested. JSON.parse reads any depth, but JSON.stringify and most of our own functions
// recurse: a hostile or damaged value would overflow the stack long after it was let in.
import type { JsonValue } from "./json.ts";

/** Far beyond anything written on purpose, far below what the stack can take. */
export const MAX_JSON_DEPTH = 500;

const CUT = "[nested too deeply]";

export function isTooDeep(value: JsonValue, depth = MAX_JSON_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((child: JsonValue) => isTooDeep(child, depth - 1));
}

/** The same value with what is nested too deeply replaced by a remark. */
export function cutDepth(value: JsonValue, depth = MAX_JSON_DEPTH): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return CUT;
  if (Array.isArray(value)) return value.map((child: JsonValue) => cutDepth(child, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, cutDepth(child, depth - 1)]));
}
