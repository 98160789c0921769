// The list of models, as each vendor writes it.
import type { JsonObject } from "../../../src/base/json.ts";
import type { Wire } from "./wire.ts";

export function modelsList(wire: Wire, models: readonly string[]): JsonObject {
  switch (wire) {
    case "google":
      return {
        models: models.map((name) => ({
          name: `models/${name}`,
          displayName: name,
          inputTokenLimit: 1_048_576,
          outputTokenLimit: 65_536,
          supportedGenerationMethods: ["generateContent", "countTokens"],
        })),
      };
    case "anthropic":
      return {
        data: models.map((id) => ({
          type: "model",
          id,
          display_name: id,
          created_at: "2026-01-01T00:00:00Z",
        })),
        has_more: false,
        first_id: models[0] ?? null,
        last_id: models.at(-1) ?? null,
      };
    default:
      return {
        object: "list",
        data: models.map((id) => ({ id, object: "model", created: 1_760_000_000, owned_by: "strict" })),
      };
  }
}
