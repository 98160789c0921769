// What a model costs and how much fits into it: a person's own entry first, then the table compiled at build
// time. The table is loaded when it is first asked for, because the start path can do without.
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

/** [id, context window, input, output, cache read, match]; a match of null means exactly the id. */
export type CompiledModel = [
  id: string,
  contextWindow: number | null,
  input: number,
  output: number,
  cacheRead: number,
  match: Match | null,
];

export type Match =
  | ["or" | "and", ...Match[]]
  | ["equals" | "starts" | "ends" | "contains" | "regex", string];

export async function modelFacts(provider: ResolvedProvider, model: string): Promise<ModelFacts> {
  return { ...(await tableFacts(provider, model)), ...ownFacts(provider, model) };
}

/** As text: to parse it takes half the time that it takes to load it as a module. */
let table: Promise<Readonly<Record<string, readonly CompiledModel[]>>> | undefined;

/** Every model the table knows for a provider. */
export async function tableModels(provider: string): Promise<readonly CompiledModel[]> {
  table ??= import("./prices.data.json", { with: { type: "text" } }).then(({ default: json }) =>
    JSON.parse(json as unknown as string),
  );
  const models = await table;
  return Object.hasOwn(models, provider) ? (models[provider] ?? []) : [];
}

export function priceOf([, , input, output, cacheRead]: CompiledModel): Price {
  return { input, output, cacheRead };
}

export function ownModels(provider: ResolvedProvider): readonly ModelEntry[] {
  return (provider.entry.models ?? []).map((model) => (typeof model === "string" ? { id: model } : model));
}

async function tableFacts(provider: ResolvedProvider, model: string): Promise<ModelFacts> {
  // What runs on one's own machine costs nothing and has the window it was started with.
  if (provider.local && builtInProvider(provider.name)?.local !== false) return {};
  const models = await tableModels(provider.name);
  const found = models.find(([id]) => id === model) ?? similar(models, model, provider);
  if (found === undefined) return {};
  return { price: priceOf(found), ...(found[1] !== null && { contextWindow: found[1] }) };
}

/** Under a vendor's name on one's own machine is a proxy on the way to it, or not: then only exact names count. */
function similar(models: readonly CompiledModel[], model: string, { local }: ResolvedProvider) {
  const wanted = model.toLowerCase();
  return local ? undefined : models.find(([, , , , , match]) => match !== null && fits(match, wanted));
}

function ownFacts(provider: ResolvedProvider, model: string): ModelFacts {
  const own = ownModels(provider).find((entry) => entry.id === model);
  if (own === undefined) return {};
  const { input, output, cacheRead, contextWindow, maxOutput } = own;
  return {
    ...defined({ contextWindow, maxOutput }),
    ...(input !== undefined &&
      output !== undefined && { price: { input, output, cacheRead: cacheRead ?? input } }),
  };
}

function fits([kind, ...rest]: Match, model: string): boolean {
  switch (kind) {
    case "or":
      return rest.some((match) => typeof match !== "string" && fits(match, model));
    case "and":
      return rest.every((match) => typeof match !== "string" && fits(match, model));
  }
  const [text] = rest;
  if (typeof text !== "string") return false;
  switch (kind) {
    case "equals":
      return model === text;
    case "starts":
      return model.startsWith(text);
    case "ends":
      return model.endsWith(text);
    case "contains":
      return model.includes(text);
    case "regex":
      return new RegExp(text).test(model);
  }
}
