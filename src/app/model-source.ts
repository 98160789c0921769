// Models by name, each made once, and the choice of the first one.
import type { ModelName, SessionId } from "../domain/ids.ts";
import type { Model } from "../domain/model.ts";
import type { AgentSettings } from "./settings.ts";

export async function chooseName(settings: AgentSettings, resumed: ModelName): Promise<ModelName> {
  if (settings.scripted !== undefined) return settings.scripted.name;
  const { chooseModel } = await import("../models/choose-model.ts");
  const { env, providers, baseUrl, model, defaultModel } = settings;
  const { name } = await chooseModel({
    env,
    ...(providers === undefined ? {} : { providers }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(model === undefined ? {} : { asked: model }),
    ...(resumed === "" ? {} : { resumed }),
    ...(defaultModel === undefined ? {} : { configured: defaultModel }),
  });
  return name;
}

export function modelSource(
  settings: AgentSettings,
  session: SessionId,
  mask: (text: string) => string,
): (name: ModelName) => Promise<Model> {
  const made = new Map<ModelName, Promise<Model>>();
  const { env, providers, baseUrl, timeouts, maxRetries, thinking, maxOutputTokens, scripted } = settings;
  return (name) => {
    if (scripted?.name === name) return Promise.resolve(scripted);
    const known = made.get(name);
    if (known !== undefined) return known;
    const model = import("../models/create-model.ts").then(({ createModel }) =>
      createModel(name, {
        env,
        cacheKey: session,
        mask,
        ...(providers === undefined ? {} : { providers }),
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(timeouts === undefined ? {} : { timeouts }),
        ...(maxRetries === undefined ? {} : { maxRetries }),
        ...(thinking === undefined ? {} : { thinking }),
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      }),
    );
    made.set(name, model);
    // A name that could not be made is tried anew: the key may be there by then.
    model.catch(() => made.delete(name));
    return model;
  };
}
