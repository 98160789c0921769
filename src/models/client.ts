// A vendor's client with its connections, kept from call to call until the model drops it after an abort or a timeout.
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { usesProxy } from "./connect-deadline.ts";
import type { FailureContext } from "./errors.ts";
import type { CallLiveness } from "./liveness.ts";
import { openNetwork } from "./network.ts";
import { createSend } from "./send.ts";
import type { ModelSettings, Timeouts } from "./settings.ts";
import { loadVendor } from "./vendors.ts";

export interface Client {
  /** Loaded with the first call, so that a session opens without waiting for it. */
  readonly vendor: () => Promise<LanguageModelV4>;
  /** The liveness of the calls under way, by the signal their request was started with. */
  readonly calls: WeakMap<AbortSignal, CallLiveness>;
  readonly close: () => void;
}

export interface ClientNeeds {
  readonly context: FailureContext;
  readonly settings: ModelSettings;
  readonly timeouts: Timeouts;
}

export function openClient({ context, settings, timeouts }: ClientNeeds): Client {
  const network = settings.fetch === undefined ? openNetwork() : { fetch: settings.fetch, close: () => {} };
  const calls = new WeakMap<AbortSignal, CallLiveness>();
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
    close: network.close,
  };
}
