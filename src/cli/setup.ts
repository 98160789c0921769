// `tunacode setup` chooses a provider, a model and a key, tries them with one request and saves them. On a terminal it
// asks; elsewhere everything comes from the flags.
import { defined } from "../base/defined.ts";
import type { JsonObject } from "../base/json.ts";
import { saveConfig } from "../config/save.ts";
import { ConfigError, errorMessage, TunacodeError } from "../domain/error.ts";
import { builtInProvider, PROVIDERS } from "../models/catalog.ts";
import { chooseModel } from "../models/choose-model.ts";
import { createModel } from "../models/create-model.ts";
import { splitModelName } from "../models/model-name.ts";
import { isMissingKey, resolveProvider } from "../models/resolve-provider.ts";
import type { ProviderEntry, ProviderSources } from "../models/settings.ts";
import type { LineQuestions } from "./ask-line.ts";
import type { Console } from "./console.ts";
import { seconds } from "./figures.ts";
import type { FlagValues } from "./flags.ts";
import type { Invocation } from "./parse-flags.ts";
import { type ConfiguredPlace, configuredPlace } from "./place.ts";
import { readPrompt } from "./prompt-input.ts";

interface Setup {
  readonly flags: FlagValues;
  readonly place: ConfiguredPlace;
  readonly console: Console;
  /** Null without a terminal. */
  readonly questions: LineQuestions | null;
}

export async function runSetup({ flags, operands }: Invocation, console: Console): Promise<number> {
  if (operands.length > 0)
    throw new TunacodeError("usage", "setup takes flags only. Try: tunacode help setup");
  const place = await configuredPlace(console, flags.cwd);
  const questions = process.stdin.isTTY === true ? (await import("./ask-line.ts")).openQuestions() : null;
  const setup = { flags, place, console, questions };
  try {
    const chosen = await choose(setup);
    if (flags["no-test"] !== true) await test(chosen, setup);
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

async function choose(setup: Setup): Promise<Chosen> {
  const { flags, place } = setup;
  const provider = await chooseProvider(setup);
  const { providers } = place.loaded.config.models;
  const entry = providerEntry(provider, flags, providers[provider] !== undefined);
  const known = { ...providers, [provider]: { ...providers[provider], ...entry } };
  const resolved = resolveProvider(provider, { env: place.variables, providers: known });
  const keyName = resolved.keyNames[0] ?? "";
  const isLocal = builtInProvider(provider)?.local === true;
  const key = await chooseKey(setup, keyName, isMissingKey(resolved), isLocal);
  const env = key === null ? {} : { [keyName]: key };
  const sources = { env: { ...place.variables, ...env }, providers: known };
  const model = await chooseName(provider, sources, setup);
  const change = {
    default_model: model,
    ...(key !== null && { env }),
    ...(Object.keys(entry).length > 0 && { providers: { [provider]: inFile(entry) } }),
  };
  return { model, sources, change };
}

async function chooseProvider({ flags: { model }, questions }: Setup): Promise<string> {
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
  sources: ProviderSources,
  { flags: { model }, questions }: Setup,
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
  { flags: { "api-key": given }, console, questions }: Setup,
  keyName: string,
  isNeeded: boolean,
  isLocal: boolean,
): Promise<string | null> {
  if (given === "-") return (await readKey(console)).trim();
  if (given !== undefined) return given;
  if (questions !== null && !isLocal) {
    const hint = isNeeded ? "it is not shown" : "press Enter to keep the current one";
    const typed = await questions.askHidden(`Key, kept as ${keyName} (${hint}): `);
    if (typed !== "") return typed;
  }
  if (!isNeeded) return null;
  throw new ConfigError(`There is no key. Pass it with --api-key (- reads stdin), or set ${keyName}.`);
}

async function readKey(console: Console): Promise<string> {
  const signal = new AbortController().signal;
  return (await readPrompt({ operands: ["-"], stdin: console.stdin(), signal, notify: () => {} })).text;
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
  return { ...defined({ api, base_url: baseUrl, api_key_env: apiKeyEnv }) };
}

async function test({ model, sources }: Chosen, { console, questions }: Setup): Promise<void> {
  console.tell(`Trying ${model} ...`);
  try {
    console.tell(await tryModel(model, sources));
  } catch (error) {
    const answer = await questions?.ask(`It did not work: ${errorMessage(error)}\nSave anyway? [y/N]: `);
    if (!/^y/i.test(answer ?? "")) throw error;
  }
}

const PATIENCE_MS = 60_000;

/** One short request shows whether the key, the address and the name are right. Returns a sentence about the answer. */
async function tryModel(name: string, sources: ProviderSources): Promise<string> {
  const startedAt = performance.now();
  const model = await createModel(name, { ...sources, maxRetries: 1 });
  const prompt = { kind: "user-prompt", content: "Answer with the word OK." } as const;
  const request = {
    system: "This is a connection test.",
    messages: [{ kind: "request", parts: [prompt] } as const],
    tools: [],
  };
  for await (const event of model.stream(request, AbortSignal.timeout(PATIENCE_MS)))
    if (event.type === "finish") break;
  return `${name} answered in ${seconds(performance.now() - startedAt)}.`;
}
