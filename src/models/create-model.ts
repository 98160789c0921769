// `provider:model` and settings -> a model the loop can call.
import { defined } from "../base/defined.ts";
import { createMask } from "../base/secrets.ts";
import { ConfigError } from "../domain/error.ts";
import type { ModelName } from "../domain/ids.ts";
import type { Model } from "../domain/model.ts";
import { callOptions, defaultCap } from "./call-options.ts";
import { openClient } from "./client.ts";
import { usesProxy } from "./connect-deadline.ts";
import { dialectOf } from "./dialect.ts";
import { StreamReader } from "./from-stream.ts";
import { CLOUD_TIMEOUTS, LOCAL_TIMEOUTS } from "./liveness.ts";
import { ModelCall } from "./model-call.ts";
import { splitModelName } from "./model-name.ts";
import { modelFacts } from "./prices.ts";
import { isMissingKey, type ResolvedProvider, resolveProvider } from "./resolve-provider.ts";
import { DEFAULT_BACKOFF, streamWithRetries } from "./retry.ts";
import type { ModelSettings } from "./settings.ts";
import { createPromptWriter } from "./to-prompt.ts";

export async function createModel(name: ModelName, settings: ModelSettings): Promise<Model> {
  const { provider: providerName, model } = splitModelName(name);
  const provider = resolveProvider(providerName, settings);
  if (isMissingKey(provider)) throw new ConfigError(missingKey(provider));
  const facts = await modelFacts(provider, model);
  const dialect = dialectOf(provider, model);
  const write = createPromptWriter(dialect);
  const timeouts = { ...(provider.local ? LOCAL_TIMEOUTS : CLOUD_TIMEOUTS), ...settings.timeouts };
  const context = { provider, model, mask: maskOf(provider, settings) };
  let client = openClient(context, settings, timeouts);
  // It will be called soon; the call reports a failure.
  client.vendor().catch(() => {});
  const drop = () => {
    client.close();
    client = openClient(context, settings, timeouts);
  };

  const { contextWindow, price } = facts;
  const maxOutput = defaultCap({ provider, model, facts });
  return {
    name,
    ...defined({ contextWindow, maxOutput, price }),
    stream: (request, signal) => {
      const options = callOptions({ provider, model, facts, settings }, request, write(request));
      return streamWithRetries({
        start: () => new ModelCall({ client, options, signal, timeouts, context }),
        reader: () => new StreamReader(dialect),
        context,
        drop,
        ...defined({ maxRetries: settings.maxRetries }),
        backoff: settings.backoff ?? DEFAULT_BACKOFF,
        signal,
      });
    },
    drop,
  };
}

/** All that a model depends on, as text: with the same settings it would be the same model. */
export function modelKey(name: ModelName, settings: ModelSettings): string {
  const { timeouts, maxRetries, thinking, env } = settings;
  const provider = resolveProvider(splitModelName(name).provider, settings);
  return JSON.stringify([name, provider, timeouts, maxRetries, thinking, usesProxy(env)]);
}

function missingKey({ name, keyNames }: ResolvedProvider): string {
  return `There is no key for ${name}. Set ${keyNames.join(" or ")}, run \`tunacode setup\`, or choose another model.`;
}

/** The key is masked even if the caller's mask doesn't know it. */
function maskOf({ apiKey }: ResolvedProvider, { mask }: ModelSettings): (text: string) => string {
  const maskKey = createMask(apiKey === undefined ? [] : [apiKey]);
  return (text) => maskKey(mask?.(text) ?? text);
}
