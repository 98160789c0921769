// Models by name, each made once, and the choice of the first one.
import { defined } from "../base/defined.ts";
import type { ModelName, SessionId } from "../domain/ids.ts";
import type { Model } from "../domain/model.ts";
import { chooseModel } from "../models/choose-model.ts";
import { createModel } from "../models/create-model.ts";
import type { Thinking } from "../models/settings.ts";
import { pacedModel } from "./paced-model.ts";
import type { AgentSettings } from "./settings.ts";

export async function chooseName(settings: AgentSettings, resumed: ModelName): Promise<ModelName> {
  if (settings.scripted !== undefined) return settings.scripted.name;
  const { env, providers, baseUrl, model, defaultModel } = settings;
  const { name } = await chooseModel({
    env,
    ...defined({ providers, baseUrl, asked: model }),
    ...(resumed === "" ? {} : { resumed }),
    ...defined({ configured: defaultModel }),
  });
  return name;
}

export function modelSource(
  settings: AgentSettings,
  session: SessionId,
  mask: (text: string) => string,
): (name: ModelName, thinking?: Thinking) => Promise<Model> {
  const made = new Map<string, Promise<Model>>();
  const { env, providers, baseUrl, timeouts, maxRetries, maxOutputTokens, scripted } = settings;
  let level = settings.thinking;
  return (name, asked) => {
    if (scripted?.name === name) return Promise.resolve(scripted);
    if (name.startsWith("demo:")) return import("./demo-tour.ts").then(({ demoModel }) => demoModel(name));
    level = asked ?? level;
    const thinking = level;
    const key = `${name} ${thinking ?? ""}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const model = createModel(name, {
      env,
      cacheKey: session,
      mask,
      ...defined({ providers, baseUrl, timeouts, maxRetries, thinking, maxOutputTokens }),
    }).then((vendors) => pacedModel(vendors, settings.requestDelayMs ?? 0));
    made.set(key, model);
    // A name that could not be made is tried anew: the key may be there by then.
    model.catch(() => made.delete(key));
    return model;
  };
}
