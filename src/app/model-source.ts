// Models by name, each made once for as long as its settings stay the same, and the choice of the first one.
import { systemClock } from "../base/clock.ts";
import { defined } from "../base/defined.ts";
import { ConfigError, errorMessage } from "../domain/error.ts";
import type { ModelName, SessionId } from "../domain/ids.ts";
import type { Model } from "../domain/model.ts";
import { chooseModel } from "../models/choose-model.ts";
import { createModel, modelKey } from "../models/create-model.ts";
import { splitModelName } from "../models/model-name.ts";
import type { Thinking } from "../models/settings.ts";
import type { KeyMask } from "./keys.ts";
import type { AgentSettings, ModelSources } from "./settings.ts";

export async function chooseName(
  { env, models = {} }: AgentSettings,
  resumed: ModelName,
): Promise<ModelName> {
  if (models.scripted !== undefined) return models.scripted.name;
  return (await chooseModel({ ...models, env, resumed })).name;
}

/** The other models that were named, with the whole name where only a provider was given. */
export async function chooseOthers({ env, models = {} }: AgentSettings) {
  const { baseUrl: _, fallback = [], small, ...sources } = models;
  const whole = async (asked: string, setting: string): Promise<ModelName> => {
    try {
      return (await chooseModel({ ...sources, env, asked })).name;
    } catch (error) {
      throw new ConfigError(`${setting}: ${errorMessage(error)}`);
    }
  };
  return {
    fallback: await Promise.all(fallback.map((name) => whole(name, "fallback"))),
    ...(small !== undefined && { smallModel: await whole(small, "small_model") }),
  };
}

interface SourceOf {
  /** --base-url belongs to the provider of this model. */
  readonly chosen: ModelName;
  readonly cacheKey: SessionId;
  readonly mask: KeyMask;
}

export function modelSource(
  settings: AgentSettings,
  { chosen, cacheKey, mask }: SourceOf,
): (name: ModelName, thinking?: Thinking) => Promise<Model> {
  const made = new Map<string, { readonly key: string; readonly model: Promise<Model> }>();
  const sources = latestSources(settings, mask);
  let { thinking } = settings.models ?? {};
  return async (name, asked) => {
    const { scripted } = settings.models ?? {};
    if (scripted?.name === name) return scripted;
    if (name.startsWith("demo:")) return (await import("./demo-tour.ts")).demoModel(name);
    thinking = asked ?? thinking;
    const { env, models = {} } = await sources();
    const { baseUrl: given, delayMs = 0, ...preferences } = models;
    const baseUrl = isSameProvider(name, chosen) ? given : undefined;
    const wanted = { ...preferences, env, cacheKey, mask, ...defined({ thinking, baseUrl }) };
    const key = `${modelKey(name, wanted)} ${delayMs}`;
    const place = `${name} ${thinking ?? ""}`;
    const known = made.get(place);
    if (known?.key === key) return known.model;
    known?.model.then((model) => model.drop?.()).catch(() => {});
    const model = createModel(name, wanted).then((vendors) => paced(vendors, delayMs));
    made.set(place, { key, model });
    // After a failure the next call tries again.
    model.catch(() => made.delete(place));
    return model;
  };
}

/** The settings as they are now. What can't be read leaves them as they were. */
function latestSources(settings: AgentSettings, mask: KeyMask): () => Promise<ModelSources> {
  let latest: ModelSources = settings;
  let told = "";
  return async () => {
    try {
      latest = (await settings.reload?.()) ?? settings;
      mask.learn(latest.env, latest.models?.providers);
      told = "";
    } catch (error) {
      const text = `The configuration can't be read, so the last one stays in use. ${errorMessage(error)}`;
      if (text !== told) settings.notify(text);
      told = text;
    }
    return latest;
  };
}

function isSameProvider(name: ModelName, other: ModelName): boolean {
  return splitModelName(name).provider === splitModelName(other).provider;
}

/** Waits before every call, for providers that limit calls per minute. */
function paced(model: Model, delayMs: number): Model {
  if (delayMs === 0) return model;
  return {
    ...model,
    stream: async function* (request, signal) {
      await systemClock.sleep(delayMs, signal);
      yield* model.stream(request, signal);
    },
  };
}
