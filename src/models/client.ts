// A vendor's client with its connections, kept from call to call until the model drops it after an abort or a timeout.
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { defined } from "../base/defined.ts";
import { runtime } from "../base/runtime.ts";
import { usesProxy } from "./connect-deadline.ts";
import type { FailureContext } from "./errors.ts";
import type { CallLiveness } from "./liveness.ts";
import { createSend } from "./send.ts";
import type { Fetch, ModelSettings, Timeouts } from "./settings.ts";
import { loadVendor } from "./vendors.ts";

export interface Client {
  /** Loaded on first use, so that opening a session doesn't wait for it. */
  readonly vendor: () => Promise<LanguageModelV4>;
  /** The liveness of the running calls, by the signal that their request was started with. */
  readonly calls: WeakMap<AbortSignal, CallLiveness>;
  /** Closes idle connections; running calls end by themselves. */
  readonly close: () => void;
}

export function openClient(context: FailureContext, settings: ModelSettings, timeouts: Timeouts): Client {
  const network = settings.fetch === undefined ? openNetwork() : { fetch: settings.fetch, close: () => {} };
  const calls = new WeakMap<AbortSignal, CallLiveness>();
  const isDirect = settings.fetch === undefined && !usesProxy(settings.env);
  const connectMs = isDirect ? timeouts.connectMs : undefined;
  const send = createSend({ context, network: network.fetch, calls, ...defined({ connectMs }) });
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

/** A pool of our own, so that its connections can be closed without touching anyone else's. */
function openNetwork(): { readonly fetch: Fetch; readonly close: () => void } {
  const session = new runtime.FetchSession();
  return {
    // Bun gives up on an idle socket after five minutes; our own deadlines decide how long to wait.
    fetch: (input, init) => session.fetch(input, { ...init, timeout: false }),
    close: () => session.close(),
  };
}
