// Models by name, each made once, and the choice of the first one.
import { systemClock } from "../base/clock.ts";
import { defined } from "../base/defined.ts";
import type { Mask } from "../base/secrets.ts";
import type { ModelName, SessionId } from "../domain/ids.ts";
import type { Model } from "../domain/model.ts";
import { chooseModel } from "../models/choose-model.ts";
import { createModel } from "../models/create-model.ts";
import type { Thinking } from "../models/settings.ts";
import type { AgentSettings } from "./settings.ts";

export async function chooseName(
  { env, models = {} }: AgentSettings,
  resumed: ModelName,
): Promise<ModelName> {
  if (models.scripted !== undefined) return models.scripted.name;
  return (await chooseModel({ ...models, env, resumed })).name;
}

export function modelSource(
  { env, models = {} }: AgentSettings,
  cacheKey: SessionId,
  mask: Mask,
): (name: ModelName, thinking?: Thinking) => Promise<Model> {
  const made = new Map<string, Promise<Model>>();
  const { scripted, delayMs = 0 } = models;
  let { thinking } = models;
  return (name, asked) => {
    if (scripted?.name === name) return Promise.resolve(scripted);
    if (name.startsWith("demo:")) return import("./demo-tour.ts").then(({ demoModel }) => demoModel(name));
    thinking = asked ?? thinking;
    const key = `${name} ${thinking ?? ""}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const settings = { ...models, env, cacheKey, mask, ...defined({ thinking }) };
    const model = createModel(name, settings).then((vendors) => paced(vendors, delayMs));
    made.set(key, model);
    // After a failure the next call tries again, because the key may have been set by then.
    model.catch(() => made.delete(key));
    return model;
  };
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
