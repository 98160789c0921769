// The fetch that a vendor's SDK calls: the gate first, then the network, with every byte noted as a sign of life. An
// answer that is not a stream becomes an error here, where status, headers and body are available.
import { defined } from "../base/defined.ts";
import { ProviderError } from "../domain/error.ts";
import { beginningOf } from "./body-beginning.ts";
import { connectDeadline } from "./connect-deadline.ts";
import { errorFieldsOfText } from "./error-fields.ts";
import { type FailureContext, networkFailure, statusFailure } from "./errors.ts";
import type { CallLiveness } from "./liveness.ts";
import type { Fetch } from "./settings.ts";
import { assertSendable } from "./wire-gate/gate.ts";

export interface Sending {
  readonly context: FailureContext;
  readonly network: Fetch;
  /** The liveness of the call that a request belongs to, by the signal it was started with. */
  readonly calls: WeakMap<AbortSignal, CallLiveness>;
  /** Absent: nobody checks whether a connection can be made (a proxy, a test). */
  readonly connectMs?: number;
}

const ERROR_BODY_READ = 64 * 1024;
/** The last event of some vendors repeats the whole response. */
const MOST_EVENT_BYTES = 16_000_000;
const NEWLINE = 10;

export function createSend({ context, network, calls, connectMs }: Sending): Fetch {
  const connected = (asked: Promise<Response>, url: string, withinMs: number) => {
    const late = new Error(`no connection within ${withinMs / 1000} s`);
    const { missed, lift } = connectDeadline(url, withinMs, () => networkFailure(late, context));
    return Promise.race([asked, missed]).finally(lift);
  };
  return async (input, init) => {
    const liveness = init?.signal ? calls.get(init.signal) : undefined;
    assertSendable(context.provider.wire, init?.body, String(input));
    const asked = request(network, input, init, context);
    const response = await (connectMs === undefined ? asked : connected(asked, String(input), connectMs));
    liveness?.sign();
    await refuseFailure(response, context, init?.body);
    if (liveness === undefined) return response;
    const { body, status, headers } = response;
    return new Response(body && signing(body, liveness, context), { status, headers });
  };
}

async function request(
  network: Fetch,
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
  context: FailureContext,
): Promise<Response> {
  try {
    // A redirect is not followed, because it would send the key and the conversation somewhere else.
    return await network(input, { ...init, redirect: "manual" });
  } catch (error) {
    // Unless the caller aborted it, anything that fetch throws is a network error.
    throw init?.signal?.aborted ? error : networkFailure(error, context);
  }
}

async function refuseFailure(
  response: Response,
  context: FailureContext,
  sent: RequestInit["body"],
): Promise<void> {
  const { name, baseUrl } = context.provider;
  if (response.status >= 300 && response.status < 400)
    throw new ProviderError(
      "provider_error",
      `${name} redirects from ${baseUrl} to ${response.headers.get("location")}. If that is right, set it as the base URL.`,
      { status: response.status },
    );
  if (!response.ok) {
    const fields = errorFieldsOfText(await beginningOf(response, ERROR_BODY_READ));
    const { status } = response;
    const wait = retryAfterMs(response.headers) ?? fields.retryDelayMs;
    const message = fields.message || response.statusText;
    const body = typeof sent === "string" ? sent : undefined;
    throw statusFailure({ ...fields, message, status, ...defined({ retryDelayMs: wait }) }, context, body);
  }
  const type = response.headers.get("content-type") ?? "";
  if (/\bjson\b/i.test(type)) {
    const fields = errorFieldsOfText(await beginningOf(response, ERROR_BODY_READ));
    if (fields.message !== "") throw statusFailure(fields, context);
  }
  if (/\b(html|json)\b/i.test(type))
    throw new ProviderError(
      "provider_error",
      `${name} answered with ${type} instead of a stream. Is ${baseUrl} the right base URL?`,
      { status: response.status },
    );
  if (response.body === null || response.headers.get("content-length") === "0")
    throw new ProviderError("provider_error", `${name} answered with nothing.`, { retryable: true });
}

/** Also ends a stream with an event that is longer than any: the SDK would hold it until it ends. */
function signing(
  body: ReadableStream<Uint8Array>,
  liveness: CallLiveness,
  { provider }: FailureContext,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let lineBytes = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        liveness.sign();
        const lineEnd = value.lastIndexOf(NEWLINE);
        lineBytes = lineEnd < 0 ? lineBytes + value.length : value.length - 1 - lineEnd;
        if (lineBytes > MOST_EVENT_BYTES) {
          const words = `${provider.name} sent an event of more than ${MOST_EVENT_BYTES / 1e6} MB.`;
          controller.error(new ProviderError("provider_error", words));
          return reader.cancel();
        }
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead, because a stream that breaks loses what nobody has taken yet.
    { highWaterMark: 0 },
  );
}

/** Retry-After in its three forms: milliseconds, seconds, a date. */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const milliseconds = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(milliseconds)) return Math.max(0, Math.round(milliseconds));
  const value = headers.get("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, Math.round(seconds * 1000));
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
