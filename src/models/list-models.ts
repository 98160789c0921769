// Lists what can be used here, with prices and context windows, for `tunacode models`.
import { defined } from "../base/defined.ts";
import type { ModelName } from "../domain/ids.ts";
import type { Price } from "../domain/usage.ts";
import { DEMO_PROVIDER } from "./catalog.ts";
import { type CompiledModel, compiledFacts, modelFacts, ownModels, tableModels } from "./prices.ts";
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
  /** What to set if it is not usable. */
  readonly keyNames: readonly string[];
}

interface Listing extends ProviderSources {
  /** Only names that contain it. */
  readonly filter?: string;
  readonly fetch?: Fetch;
}

/** Defaults come first, then what can be used here, the more useful before the less. */
export async function listModels({ filter = "", fetch, ...sources }: Listing): Promise<ListedModel[]> {
  const lists = await Promise.all(allProviders(sources).map((provider) => modelsOf(provider, fetch)));
  const wanted = filter.toLowerCase();
  const ranked = lists.flat().toSorted((one, other) => rank(one) - rank(other));
  return [...ranked, DEMO].filter((model) => model.name.toLowerCase().includes(wanted));
}

function rank({ usable, isDefault }: ListedModel): number {
  return (usable ? 0 : 2) + (isDefault ? 0 : 1);
}

/** Scripted and built in. It comes last, because nobody can work with it. */
const DEMO: ListedModel = { name: `${DEMO_PROVIDER}:tour`, usable: true, isDefault: true, keyNames: [] };

async function modelsOf(provider: ResolvedProvider, fetch: Fetch | undefined): Promise<ListedModel[]> {
  const own = ownModels(provider).map((model) => model.id);
  const served = provider.local ? ((await probeModels(provider, fetch)) ?? []) : [];
  const table = provider.local ? [] : await tableModels(provider.name);
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
    return { ...row(id), ...defined({ contextWindow, price }) };
  });
  return [
    ...(await Promise.all(described)),
    ...table
      .filter(([id]) => !listed.has(id) && canBeUsed(provider.name, id))
      .toSorted(byUse)
      .map((model) => ({ ...row(model[0]), ...compiledFacts(model) })),
  ];
}

// The price table knows no dates and no abilities, so names and context windows have to do.

/** Models for speech, pictures, vectors and verdicts have one of these words in their names. */
const OTHER_PURPOSE =
  /(?:^|[-/.:])(?:embed(?:ding)?|tts|transcribe|whisper|realtime|live|audio|image|ocr|moderation|(?:safe)?guard)(?=[-/.:]|$)/;
/** Models from before conversations and tools. */
const COMPLETES_TEXT = /^(?:text-)?(?:ada|babbage|curie|davinci)\b|gpt-3\.5-turbo-instruct|^claude-(?:v1|2)$/;
/** A prefix that stands for many models; it is no model itself. */
const ONLY_BEGINNING = /^ft:|-$/;

/** Models that Google's cloud serves at another address than the one we call. */
const ELSEWHERE: Readonly<Record<string, RegExp>> = { google: /^claude-|-maas$/ };
/** Taken where the table doesn't know the window. */
const UNKNOWN_WINDOW = 128_000;

function canBeUsed(provider: string, id: string): boolean {
  const unusable = [ELSEWHERE[provider], OTHER_PURPOSE, COMPLETES_TEXT, ONLY_BEGINNING];
  return !unusable.some((pattern) => pattern?.test(id));
}

/** The largest window first, then the highest numbers in a name: old and small models come last. */
function byUse([one, oneWindow]: CompiledModel, [other, otherWindow]: CompiledModel): number {
  return (otherWindow ?? UNKNOWN_WINDOW) - (oneWindow ?? UNKNOWN_WINDOW) || NAMES.compare(other, one);
}

const NAMES = new Intl.Collator("en", { numeric: true });
