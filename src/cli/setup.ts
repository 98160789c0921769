// `tunacode setup` chooses a provider, a model and a key, tries them with one request and saves them. On a terminal it
// asks; elsewhere everything comes from the flags.
import { defined } from "../base/defined.ts";
import type { JsonObject } from "../base/json.ts";
import { saveConfig } from "../config/save.ts";
import { ConfigError, errorMessage, TunacodeError } from "../domain/error.ts";
import { builtInProvider, PROVIDERS } from "../models/catalog.ts";
import { chooseModel } from "../models/choose-model.ts";
import { splitModelName } from "../models/model-name.ts";
import { isMissingKey, resolveProvider } from "../models/resolve-provider.ts";
import type { ProviderEntry, ProviderSources } from "../models/settings.ts";
import { type LineQuestions, openQuestions } from "./ask-line.ts";
import type { Console } from "./console.ts";
import type { FlagValues } from "./flags.ts";
import type { Invocation } from "./parse-flags.ts";
import { type ConfiguredPlace, configuredPlace } from "./place.ts";
import { readPrompt } from "./prompt-input.ts";
import { tryModel } from "./try-model.ts";

export async function runSetup({ flags, operands }: Invocation, console: Console): Promise<number> {
  if (operands.length > 0)
    throw new TunacodeError("usage", "setup takes flags only. Try: tunacode help setup");
  const place = await configuredPlace(console, flags.cwd);
  const questions = process.stdin.isTTY === true ? openQuestions() : null;
  try {
    const chosen = await choose(flags, place, console, questions);
    if (flags["no-test"] !== true) await test(chosen, console, questions);
    const path = await saveConfig(place.env, chosen.change);
    console.tell(`Saved to ${path}. Try: tunacode run "what does this project do?"`);
    return 0;
  } finally {
    questions?.close();
  }
}

interface Chosen {
  readonly model: string;
  readonly sources: ProviderSources;
  /** With the keys of the configuration file. */
  readonly change: JsonObject;
}

async function choose(
  flags: FlagValues,
  place: ConfiguredPlace,
  console: Console,
  questions: LineQuestions | null,
): Promise<Chosen> {
  const provider = await chooseProvider(flags, questions);
  const { providers } = place.loaded.config.models;
  const entry = providerEntry(provider, flags, providers[provider] !== undefined);
  const known = { ...providers, [provider]: { ...providers[provider], ...entry } };
  const resolved = resolveProvider(provider, { env: place.variables, providers: known });
  const keyName = resolved.keyNames[0] ?? "";
  const key = await chooseKey(flags, console, questions, keyName, {
    needed: isMissingKey(resolved),
    local: builtInProvider(provider)?.local === true,
  });
  const sources = { env: { ...place.variables, ...(key !== null && { [keyName]: key }) }, providers: known };
  const model = await chooseName(provider, flags, sources, questions);
  return {
    model,
    sources,
    change: {
      default_model: model,
      ...(key !== null && { env: { [keyName]: key } }),
      ...(Object.keys(entry).length > 0 && { providers: { [provider]: inFile(entry) } }),
    },
  };
}

async function chooseProvider({ model }: FlagValues, questions: LineQuestions | null): Promise<string> {
  if (model !== undefined) return model.includes(":") ? splitModelName(model).provider : model;
  if (questions === null)
    throw new TunacodeError(
      "usage",
      "Without a terminal, name the model: tunacode setup --model PROVIDER:MODEL",
    );
  const names = PROVIDERS.map((provider) => provider.name);
  const list = PROVIDERS.map(
    ({ name, local }, at) => `  ${String(at + 1).padStart(2)}  ${name}${local ? " (on this machine)" : ""}`,
  );
  const answer = await questions.ask(`${list.join("\n")}\nProvider (name or number) [1]: `);
  const picked =
    answer === "" ? names[0] : (names[Number(answer) - 1] ?? names.find((name) => name === answer));
  if (picked === undefined)
    throw new ConfigError(
      `${JSON.stringify(answer)} is not in the list. To add a custom provider: tunacode help setup`,
    );
  return picked;
}

async function chooseName(
  provider: string,
  { model }: FlagValues,
  sources: ProviderSources,
  questions: LineQuestions | null,
): Promise<string> {
  if (model?.includes(":")) return model;
  const proposed = await chooseModel({ ...sources, asked: provider }).catch((error: unknown) => {
    // A server that isn't running can't name its models; the person can.
    if (questions === null) throw error;
    return null;
  });
  if (questions === null) return proposed?.name ?? provider;
  const proposal = proposed === null ? "" : splitModelName(proposed.name).model;
  const answer = await questions.ask(`Model [${proposal || "none is known"}]: `);
  return `${provider}:${answer || proposal}`;
}

/** Null when a key is set already, or none is needed. */
async function chooseKey(
  { "api-key": given }: FlagValues,
  console: Console,
  questions: LineQuestions | null,
  keyName: string,
  { needed, local }: { readonly needed: boolean; readonly local: boolean },
): Promise<string | null> {
  if (given === "-") return (await readKey(console)).trim();
  if (given !== undefined) return given;
  if (questions !== null && !local) {
    const hint = needed ? "it is not shown" : "press Enter to keep the current one";
    const typed = await questions.askHidden(`Key, kept as ${keyName} (${hint}): `);
    if (typed !== "") return typed;
  }
  if (!needed) return null;
  throw new ConfigError(`There is no key. Pass it with --api-key (- reads stdin), or set ${keyName}.`);
}

function readKey(console: Console): Promise<string> {
  const signal = new AbortController().signal;
  return readPrompt({ operands: ["-"], stdin: console.stdin(), signal, notify: () => {} });
}

/** What the flags say about the provider itself. */
function providerEntry(
  provider: string,
  { api, "base-url": baseUrl }: FlagValues,
  known: boolean,
): ProviderEntry {
  const own = builtInProvider(provider) === undefined && !known;
  if (own && baseUrl === undefined)
    throw new TunacodeError("usage", `${provider} is not built in: give its address with --base-url.`);
  return {
    ...(own && {
      api: api ?? "openai-chat",
      apiKeyEnv: `${provider.toUpperCase().replace(/\W/g, "_")}_API_KEY`,
    }),
    ...(!own && api !== undefined && { api }),
    ...defined({ baseUrl }),
  };
}

function inFile({ api, baseUrl, apiKeyEnv }: ProviderEntry): JsonObject {
  return {
    ...defined({ api, base_url: baseUrl, api_key_env: apiKeyEnv }),
  };
}

async function test(
  { model, sources }: Chosen,
  console: Console,
  questions: LineQuestions | null,
): Promise<void> {
  console.tell(`Trying ${model} ...`);
  try {
    console.tell(await tryModel(model, sources));
  } catch (error) {
    const answer = await questions?.ask(`It did not work: ${errorMessage(error)}\nSave anyway? [y/N]: `);
    if (!/^y/i.test(answer ?? "")) throw error;
  }
}
