// A vendor's client with its connections, shared by all calls that agree in everything that matters, until one
// of them drops it after an abort or a timeout.
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { usesProxy } from "./connect-deadline.ts";
import type { FailureContext } from "./errors.ts";
import { createGrowBody, type GrowBody } from "./grown-body.ts";
import { openNetwork } from "./network.ts";
import { createSend, type OpenCall } from "./send.ts";
import type { ModelSettings, Timeouts } from "./settings.ts";
import { loadVendor } from "./vendors.ts";

export interface Client {
  /** Loaded with the first call, so that a session opens without waiting for it. */
  readonly vendor: () => Promise<LanguageModelV4>;
  /** The calls under way, by the signal their request was started with. */
  readonly calls: WeakMap<AbortSignal, OpenCall>;
  readonly growBody: GrowBody;
  readonly close: () => void;
}

export interface ClientNeeds {
  readonly context: FailureContext;
  readonly settings: ModelSettings;
  readonly timeouts: Timeouts;
}

const clients = new Map<string, Client>();

export function clientFor(needs: ClientNeeds): Client {
  // What a test or a caller replaces by a function of its own can't be compared, so it isn't shared.
  if (needs.settings.fetch !== undefined || needs.settings.mask !== undefined) return openClient(needs);
  const key = keyOf(needs);
  let client = clients.get(key);
  if (client === undefined) {
    client = openClient(needs);
    clients.set(key, client);
  }
  return client;
}

/** The next call opens a new one. */
export function dropClient(needs: ClientNeeds, client: Client): void {
  const key = keyOf(needs);
  // Somebody else may have dropped it before, and opened another since.
  if (clients.get(key) === client) clients.delete(key);
  client.close();
}

function keyOf({ context: { provider, model }, settings, timeouts }: ClientNeeds): string {
  const { name, wire, baseUrl, apiKey } = provider;
  return JSON.stringify([name, wire, baseUrl, apiKey, model, timeouts.connectMs, usesProxy(settings.env)]);
}

function openClient({ context, settings, timeouts }: ClientNeeds): Client {
  const network = settings.fetch === undefined ? openNetwork() : { fetch: settings.fetch, close: () => {} };
  const calls = new WeakMap<AbortSignal, OpenCall>();
  const send = createSend({
    wire: context.provider.wire,
    context,
    network: network.fetch,
    calls,
    ...(settings.fetch === undefined && !usesProxy(settings.env) && { connectMs: timeouts.connectMs }),
  });
  let loading: Promise<LanguageModelV4> | undefined;
  return {
    vendor: () => {
      loading ??= loadVendor(context.provider, context.model, send);
      return loading;
    },
    calls,
    growBody: createGrowBody(context.provider.wire),
    close: network.close,
  };
}
