// What a model costs and how much fits into it: a person's own entry first, then the table compiled at build
// time. The table is loaded on first use, because starting doesn't need it.
import { defined } from "../base/defined.ts";
import type { Price } from "../domain/usage.ts";
import { builtInProvider } from "./catalog.ts";
import type { ResolvedProvider } from "./resolve-provider.ts";
import type { ModelEntry } from "./settings.ts";

export interface ModelFacts {
  readonly contextWindow?: number;
  readonly maxOutput?: number;
  readonly price?: Price;
}

/** [id, context window, input, output, cache read, match, cache write]; a match of null means exactly the id. */
export type CompiledModel = [
  id: string,
  contextWindow: number | null,
  input: number,
  output: number,
  cacheRead: number,
  match: Match | null,
  /** Absent: the same as input. */
  cacheWrite?: number,
];

export type Match = ["or", ...Match[]] | ["and", ...Match[]] | TextMatch;
type TextMatch = ["equals" | "starts" | "ends" | "contains" | "regex", string];

export async function modelFacts(provider: ResolvedProvider, model: string): Promise<ModelFacts> {
  return { ...(await tableFacts(provider, model)), ...ownFacts(provider, model) };
}

/** Imported as text, because parsing it takes half as long as loading it as a module. */
let table: Promise<Readonly<Record<string, readonly CompiledModel[]>>> | undefined;

/** Every model the table knows for a provider. */
export async function tableModels(provider: string): Promise<readonly CompiledModel[]> {
  table ??= import("./prices.data.json", { with: { type: "text" } }).then(({ default: json }) =>
    JSON.parse(json as unknown as string),
  );
  const models = await table;
  return Object.hasOwn(models, provider) ? (models[provider] ?? []) : [];
}

export function compiledFacts([, window, input, output, cacheRead, , cacheWrite]: CompiledModel): ModelFacts {
  const price = { input, output, cacheRead, ...defined({ cacheWrite }) };
  return defined({ contextWindow: window ?? undefined, price });
}

export function ownModels(provider: ResolvedProvider): readonly ModelEntry[] {
  return (provider.entry.models ?? []).map((model) => (typeof model === "string" ? { id: model } : model));
}

async function tableFacts(provider: ResolvedProvider, model: string): Promise<ModelFacts> {
  // A model on the person's own machine costs nothing and has the window that it was started with.
  if (provider.local && builtInProvider(provider.name)?.local !== false) return {};
  const models = await tableModels(provider.name);
  const found = models.find(([id]) => id === model) ?? similar(models, model, provider);
  return found === undefined ? {} : compiledFacts(found);
}

/** A local server under a vendor's name may be a proxy to that vendor or something else, so only exact names match. */
function similar(models: readonly CompiledModel[], model: string, { local }: ResolvedProvider) {
  const wanted = model.toLowerCase();
  return local ? undefined : models.find(([, , , , , match]) => match !== null && fits(match, wanted));
}

function ownFacts(provider: ResolvedProvider, model: string): ModelFacts {
  const own = ownModels(provider).find((entry) => entry.id === model);
  const {
    input,
    output,
    cacheRead = input,
    cacheWrite,
    contextWindow,
    maxOutput,
  }: Partial<ModelEntry> = own ?? {};
  const isPriced = input !== undefined && output !== undefined && cacheRead !== undefined;
  const price = isPriced ? { input, output, cacheRead, ...defined({ cacheWrite }) } : undefined;
  return defined({ contextWindow, maxOutput, price });
}

function fits(match: Match, model: string): boolean {
  if (match[0] === "or" || match[0] === "and") {
    const [kind, ...parts] = match;
    const does = (part: Match) => fits(part, model);
    return kind === "or" ? parts.some(does) : parts.every(does);
  }
  const [kind, text] = match;
  return COMPARISONS[kind](model, text);
}

const COMPARISONS: Readonly<Record<TextMatch[0], (model: string, text: string) => boolean>> = {
  equals: (model, text) => model === text,
  starts: (model, text) => model.startsWith(text),
  ends: (model, text) => model.endsWith(text),
  contains: (model, text) => model.includes(text),
  regex: (model, text) => new RegExp(text).test(model),
};
