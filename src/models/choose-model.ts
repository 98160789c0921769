// Chooses the model for a request: the one that was asked for, else the resumed session's, else the config's, else
// that of the first provider with a key, else that of a local server that answers.
import { ConfigError } from "../domain/error.ts";
import type { ModelName } from "../domain/ids.ts";
import { builtInProvider, DEMO_PROVIDER, PROVIDERS } from "./catalog.ts";
import { splitModelName } from "./model-name.ts";
import { ownModels } from "./prices.ts";
import { probeModels } from "./probe.ts";
import { allProviders, type ResolvedProvider, resolveProvider } from "./resolve-provider.ts";
import type { Fetch, ModelPreferences, ProviderSources } from "./settings.ts";

export interface ModelWish extends ProviderSources, Pick<ModelPreferences, "asked" | "configured"> {
  readonly resumed?: ModelName;
  readonly fetch?: Fetch;
}

interface ChosenModel {
  readonly name: ModelName;
  readonly because: "asked" | "resumed" | "configured" | "key" | "local";
}

export async function chooseModel(choice: ModelWish): Promise<ChosenModel> {
  const { asked, resumed, configured } = choice;
  if (asked) return { name: await askedName(asked, choice), because: "asked" };
  if (resumed) return { name: resumed, because: "resumed" };
  if (configured) return { name: await wholeName(configured, choice), because: "configured" };
  return firstWithKey(choice) ?? (await firstLocal(choice)) ?? nothingToUse();
}

/** Somebody has just typed the name, so a typo is reported before a session begins with it. */
async function askedName(asked: string, choice: ModelWish): Promise<ModelName> {
  const name = await wholeName(asked, choice);
  const { provider } = splitModelName(name);
  if (provider !== DEMO_PROVIDER) resolveProvider(provider, choice);
  return name;
}

async function wholeName(name: string, choice: ModelWish): Promise<ModelName> {
  if (name === DEMO_PROVIDER) return `${DEMO_PROVIDER}:tour`;
  if (builtInProvider(name) === undefined && !Object.hasOwn(choice.providers ?? {}, name)) return name;
  const provider = resolveProvider(name, choice);
  const model = ownModels(provider)[0]?.id ?? provider.defaultModel ?? (await served(provider, choice))?.[0];
  if (model === undefined)
    throw new ConfigError(`${name} has no model of its own choice. Write ${name}:MODEL; is it running?`);
  return `${name}:${model}`;
}

function firstWithKey(choice: ModelWish): ChosenModel | undefined {
  for (const provider of allProviders(choice)) {
    const model = ownModels(provider)[0]?.id ?? provider.defaultModel;
    if (provider.apiKey !== undefined && model !== undefined)
      return { name: `${provider.name}:${model}`, because: "key" };
  }
  return undefined;
}

/** Asks all servers at once and takes the first of the catalog that answered. */
async function firstLocal(choice: ModelWish): Promise<ChosenModel | undefined> {
  const local = allProviders(choice).filter((provider) => provider.local);
  const lists = await Promise.all(local.map((provider) => served(provider, choice)));
  for (const [index, provider] of local.entries()) {
    const model = lists[index]?.[0];
    if (model !== undefined) return { name: `${provider.name}:${model}`, because: "local" };
  }
  return undefined;
}

function served(provider: ResolvedProvider, { fetch }: ModelWish): Promise<readonly string[] | null> {
  return provider.wire.startsWith("openai") ? probeModels(provider, fetch) : Promise.resolve(null);
}

function nothingToUse(): never {
  const keys = PROVIDERS.filter((provider) => !provider.local).map((provider) => provider.keyNames[0]);
  const servers = PROVIDERS.filter((provider) => provider.local).map((provider) => provider.name);
  throw new ConfigError(
    `There is no model to use yet. \`tunacode demo\` works without one. Otherwise do one of these:
  set a key (${keys.join(", ")}), or let \`tunacode setup\` keep one for you
  start a local server (${servers.join(", ")}), or name a model with --model PROVIDER:MODEL`,
  );
}
