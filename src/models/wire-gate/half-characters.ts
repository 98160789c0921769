// Halves of characters (lone surrogates), which no vendor takes.
import type { JsonValue } from "../../base/json.ts";

/** Quick, and sure where it says no. A half stands there as it is, or as an escape. */
export function mayHoldHalves(json: string): boolean {
  return json.includes("\\ud") || json.includes("\\uD") || !json.isWellFormed();
}

export function holdsHalves(value: JsonValue): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsHalves);
}
