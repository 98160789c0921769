// The four wires as providers in the configuration of a lab, so that one test runs on all of them.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import type { CliLab } from "./running-binary.ts";
import { TEST_KEY } from "./vendor-path.ts";

/** A model of each that the vendor itself would hold to a schema. */
export const FOUR_WIRES = [
  { api: "openai-chat", path: "/v1", model: "gpt-6-sol" },
  { api: "openai-responses", path: "/v1", model: "gpt-6-sol" },
  { api: "anthropic", path: "/v1", model: "claude-sonnet-4-5" },
  { api: "google", path: "/v1beta", model: "gemini-3-pro" },
] as const;

/** Returns the variables that a run needs besides. */
export function configureWires(
  { home, server }: CliLab,
  settings: JsonObject = {},
): Readonly<Record<string, string>> {
  mkdirSync(join(home, ".config"), { recursive: true });
  const providers = Object.fromEntries(
    FOUR_WIRES.map(({ api, path }) => [api, { api, base_url: server.url + path, api_key_env: "TEST_KEY" }]),
  );
  writeFileSync(join(home, ".config", "tunacode.json"), JSON.stringify({ providers, settings }));
  return { TEST_KEY };
}
