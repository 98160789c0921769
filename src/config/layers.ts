// Merges the layers of configuration: defaults, then the person's file, then the project's.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { DEFAULT_MAX_ITERATIONS } from "../domain/limits.ts";
import type { ConfigFile } from "./schema.ts";

export interface Layer {
  readonly source: "default" | "person" | "project";
  /** The file's path. The defaults have none. */
  readonly path?: string;
  readonly values: ConfigFile;
}

export const DEFAULT_LAYER: Layer = {
  source: "default",
  values: {
    permissions: { mode: "ask" },
    sandbox: "auto",
    settings: {
      max_iterations: DEFAULT_MAX_ITERATIONS,
      request_delay: 0,
      global_request_timeout: 0,
      lsp: { enabled: true },
      undo: { enabled: true },
    },
  },
};

export function mergeLayers(layers: readonly Layer[]): ConfigFile {
  // The casts are safe: merging values of one shape gives a value of that shape.
  return layers.map((layer) => layer.values as JsonObject).reduce(deepMerge, {}) as ConfigFile;
}

/** Objects are merged key by key; anything else is replaced. */
export function deepMerge(under: JsonObject, over: JsonObject): JsonObject {
  const added = Object.entries(over).map(([key, above]): [string, JsonValue] => {
    const below = Object.hasOwn(under, key) ? under[key] : undefined;
    return [key, isJsonObject(below) && isJsonObject(above) ? deepMerge(below, above) : above];
  });
  return Object.fromEntries([...Object.entries(under), ...added]);
}
