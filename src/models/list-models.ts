// What can be used here, with prices and context windows: `tunacode models`.
import { defined } from "../base/defined.ts";
import type { ModelName } from "../domain/ids.ts";
import type { Price } from "../domain/usage.ts";
import { DEMO_PROVIDER } from "./catalog.ts";
import { byUse, canBeUsed } from "./model-order.ts";
import { type CompiledModel, modelFacts, ownModels, priceOf, tableModels } from "./prices.ts";
import { probeModels } from "./probe.ts";
import { allProviders, isMissingKey, type ResolvedProvider } from "./resolve-provider.ts";
import type { Fetch, ProviderSources } from "./settings.ts";

export interface ListedModel {
  readonly name: ModelName;
  readonly contextWindow?: number;
  readonly price?: Price;
  /** A key is set, or the local server answered. */
  readonly usable: boolean;
  readonly isDefault: boolean;
  /** What to set where it is not usable. */
  readonly keyNames: readonly string[];
}

export interface Listing extends ProviderSources {
  /** Only names that contain it. */
  readonly filter?: string;
  readonly fetch?: Fetch;
}

/** What is taken without a choice first, then what can be used here, the more useful before the less. */
export async function listModels({ filter = "", fetch, ...sources }: Listing): Promise<ListedModel[]> {
  const lists = await Promise.all(allProviders(sources).map((provider) => modelsOf(provider, fetch)));
  const wanted = filter.toLowerCase();
  const ranked = lists.flat().toSorted((one, other) => rank(one) - rank(other));
  return [...ranked, DEMO].filter((model) => model.name.toLowerCase().includes(wanted));
}

function rank({ usable, isDefault }: ListedModel): number {
  return (usable ? 0 : 2) + (isDefault ? 0 : 1);
}

/** Scripted and built in: always there, and last, because it is no model to work with. */
const DEMO: ListedModel = { name: `${DEMO_PROVIDER}:tour`, usable: true, isDefault: true, keyNames: [] };

async function usableTable(provider: string): Promise<readonly CompiledModel[]> {
  const models = await tableModels(provider);
  return models.filter((model) => canBeUsed(provider, model)).toSorted(byUse);
}

async function modelsOf(provider: ResolvedProvider, fetch: Fetch | undefined): Promise<ListedModel[]> {
  const own = ownModels(provider).map((model) => model.id);
  const served = provider.local ? ((await probeModels(provider, fetch)) ?? []) : [];
  const table = provider.local ? [] : await usableTable(provider.name);
  const usable = provider.local ? served.length > 0 || own.length > 0 : !isMissingKey(provider);
  const row = (id: string) => ({
    name: `${provider.name}:${id}`,
    usable,
    isDefault: id === (own[0] ?? provider.defaultModel ?? served[0]),
    keyNames: provider.keyNames,
  });
  const listed = new Set([...own, ...served]);
  const described = [...listed].map(async (id) => {
    const { contextWindow, price } = await modelFacts(provider, id);
    return { ...row(id), ...defined({ contextWindow }), ...(price && { price }) };
  });
  return [
    ...(await Promise.all(described)),
    ...table
      .filter(([id]) => !listed.has(id))
      .map((model) => ({
        ...row(model[0]),
        ...(model[1] !== null && { contextWindow: model[1] }),
        price: priceOf(model),
      })),
  ];
}
