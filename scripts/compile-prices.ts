// Reduces the price table of @pydantic/genai-prices to the fields we use, in src/models/prices.data.json.
// Run it after updating that package: `bun scripts/compile-prices.ts`.
import { writeFileSync } from "node:fs";
import { findProvider, type MatchLogic, type ModelInfo, type ModelPrice } from "@pydantic/genai-prices";
import type { CompiledModel, Match } from "../src/models/prices.ts";

/** Our names of the providers. The package names one of them differently. */
const PROVIDERS = ["openai", "anthropic", "google", "openrouter", "groq", "deepseek", "mistral", "xai"];

const table: Record<string, CompiledModel[]> = {};
for (const name of PROVIDERS) {
  const provider = findProvider({ providerId: name === "xai" ? "x-ai" : name });
  if (provider === undefined) throw new Error(`The price table has no provider called ${name}.`);
  table[name] = provider.models.map(compile).filter((model) => model !== null);
}

const lines = Object.entries(table).map(
  ([name, models]) =>
    `${JSON.stringify(name)}: [\n${models.map((model) => JSON.stringify(model)).join(",\n")}\n]`,
);
writeFileSync(new URL("../src/models/prices.data.json", import.meta.url), `{\n${lines.join(",\n")}\n}\n`);
console.log(
  Object.entries(table)
    .map(([name, models]) => `${name} ${models.length}`)
    .join(", "),
);

/** null for models without text prices: speech, embeddings, images. */
function compile(model: ModelInfo): CompiledModel | null {
  const prices = currentPrices(model);
  const input = flat(prices["input_mtok"]);
  const output = flat(prices["output_mtok"]);
  if (input === undefined || output === undefined) return null;
  const cacheWrite = flat(prices["cache_write_mtok"]);
  const compiled: CompiledModel = [
    model.id,
    model.context_window ?? null,
    input,
    output,
    flat(prices["cache_read_mtok"]) ?? input,
    isPlainId(model) ? null : compileMatch(model.match),
  ];
  if (cacheWrite !== undefined && cacheWrite !== input) compiled.push(cacheWrite);
  return compiled;
}

/** A dated price applies from its date on. Prices by time of day or by prompt length are ignored. */
function currentPrices(model: ModelInfo): ModelPrice {
  if (!Array.isArray(model.prices)) return model.prices;
  const today = new Date().toISOString().slice(0, 10);
  const current = model.prices.findLast(
    ({ constraint: only }) => only === undefined || (only.type === "start_date" && only.start_date <= today),
  );
  return current?.prices ?? {};
}

function flat(price: ModelPrice[string]): number | undefined {
  return typeof price === "object" ? price.base : price;
}

function isPlainId(model: ModelInfo): boolean {
  return "equals" in model.match && model.match.equals === model.id;
}

function compileMatch(match: MatchLogic): Match {
  if ("or" in match) return ["or", ...match.or.map(compileMatch)];
  if ("and" in match) return ["and", ...match.and.map(compileMatch)];
  if ("equals" in match) return ["equals", match.equals];
  if ("starts_with" in match) return ["starts", match.starts_with];
  if ("ends_with" in match) return ["ends", match.ends_with];
  if ("contains" in match) return ["contains", match.contains];
  return ["regex", match.regex];
}
