// `tunacode models` lists the models that can be used here, with prices and context windows.
import type { JsonObject } from "../base/json.ts";
import { DEMO_PROVIDER } from "../models/catalog.ts";
import { type ListedModel, listModels } from "../models/list-models.ts";
import type { Console } from "./console.ts";
import { amount } from "./figures.ts";
import { type Invocation, wantsJson } from "./parse-flags.ts";
import { configuredPlace } from "./place.ts";
import { table } from "./table.ts";
import { forTerminal } from "./wrap-words.ts";

export async function runModels({ flags, operands }: Invocation, console: Console): Promise<number> {
  const json = wantsJson(flags);
  const filter = operands.join(" ");
  const { variables, loaded } = await configuredPlace(console, flags.cwd);
  const found = await listModels({ env: variables, providers: loaded.config.models.providers, filter });
  if (json) {
    await console.print(`${JSON.stringify(found.map(encodeModel), null, 2)}\n`);
    return 0;
  }
  // Providers without a key have thousands of models; they are listed only when a filter asks for them.
  const shown = filter === "" ? found.filter((model) => model.usable) : found;
  if (shown.length > 0) await console.print(table([HEAD, ...shown.map(row)]));
  if (filter === "" && shown.every(isDemo)) console.tell(forTerminal(nothingUsable(found), console));
  if (filter !== "" && shown.length === 0)
    console.tell(`No model's name contains ${JSON.stringify(filter)}.`);
  return 0;
}

/** The demo model is always usable, but nobody can work with it. */
function isDemo({ name }: ListedModel): boolean {
  return name.startsWith(`${DEMO_PROVIDER}:`);
}

const HEAD = ["model", "context", "input $/M", "output $/M", "cached $/M", ""];

function row(model: ListedModel): string[] {
  const { name, contextWindow, price, usable, isDefault, keyNames } = model;
  const remark = usable ? (isDefault ? "default" : "") : `needs ${keyNames.join(" or ") || "its server"}`;
  const prices =
    price === undefined ? ["", "", ""] : [price.input, price.output, price.cacheRead].map(String);
  return [name, contextWindow === undefined ? "" : amount(contextWindow), ...prices, remark];
}

function encodeModel({ name, contextWindow, price, usable, isDefault, keyNames }: ListedModel): JsonObject {
  return {
    name,
    usable,
    default: isDefault,
    context_window: contextWindow ?? null,
    price:
      price === undefined ? null : { input: price.input, output: price.output, cache_read: price.cacheRead },
    key_names: keyNames,
  };
}

function nothingUsable(found: readonly ListedModel[]): string {
  const keys = [...new Set(found.flatMap((model) => model.keyNames[0] ?? []))];
  return `No key and no local server was found. Set one of ${keys.join(", ")}, or run: tunacode setup
All models of a provider: tunacode models anthropic`;
}
