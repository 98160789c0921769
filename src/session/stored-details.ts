// Details of a tool's result on disk: their keys in the file's way of writing, and nothing else changed.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { areDetails, type ToolDetails } from "../domain/tool-details.ts";

export function encodeDetails(details: ToolDetails): JsonObject {
  return withKeys({ ...details }, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** Undefined: not details that we know. */
export function decodeDetails(raw: JsonValue): ToolDetails | undefined {
  if (!isJsonObject(raw)) return undefined;
  const details = withKeys(raw, (key) =>
    key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  return areDetails(details) ? details : undefined;
}

function withKeys(object: JsonObject, rename: (key: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), value]));
}
