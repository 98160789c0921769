// The fetch that a vendor's SDK calls: the gate first, then the network, with every byte noted as a sign of life. An
// answer that is no stream becomes an error here, where status, headers and body are at hand.
import { defined } from "../base/defined.ts";
import { ProviderError } from "../domain/error.ts";
import { type ConnectDeadline, connectDeadline } from "./connect-deadline.ts";
import { errorFieldsOfText } from "./error-fields.ts";
import { type FailureContext, networkFailure, statusFailure } from "./errors.ts";
import type { CallLiveness } from "./liveness.ts";
import { retryAfterMs } from "./retry-after.ts";
import type { Fetch, Wire } from "./settings.ts";
import { assertSendable } from "./wire-gate/gate.ts";

export interface Sending {
  readonly wire: Wire;
  readonly context: FailureContext;
  readonly network: Fetch;
  /** The liveness of the call that a request belongs to, by the signal it was started with. */
  readonly calls: WeakMap<AbortSignal, CallLiveness>;
  /** Absent: whether a connection can be made is not looked into (a proxy, a test). */
  readonly connectMs?: number;
}

const ERROR_BODY_READ = 64 * 1024;

export function createSend({ wire, context, network, calls, connectMs }: Sending): Fetch {
  return async (input, init) => {
    const liveness = init?.signal ? calls.get(init.signal) : undefined;
    assertSendable(wire, init?.body, String(input));
    const asked = request(network, input, init, context);
    const response = await (connectMs === undefined
      ? asked
      : withinDeadline(
          asked,
          connectDeadline(String(input), connectMs, () => noConnection(connectMs, context)),
        ));
    liveness?.sign();
    await refuseFailure(response, context);
    return liveness === undefined ? response : watched(response, liveness);
  };
}

async function request(
  network: Fetch,
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
  context: FailureContext,
): Promise<Response> {
  try {
    // A redirect is not followed: it would carry the key and the conversation to wherever it points.
    return await network(input, { ...init, redirect: "manual" });
  } catch (error) {
    // An abort is the caller's own doing; anything else that fetch throws is the network.
    throw init?.signal?.aborted ? error : networkFailure(error, context);
  }
}

function withinDeadline(asked: Promise<Response>, { missed, lift }: ConnectDeadline): Promise<Response> {
  return Promise.race([asked, missed]).finally(lift);
}

function noConnection(connectMs: number, context: FailureContext): ProviderError {
  return networkFailure(new Error(`no connection within ${connectMs / 1000} s`), context);
}

async function refuseFailure(response: Response, context: FailureContext): Promise<void> {
  const { name, baseUrl } = context.provider;
  if (response.status >= 300 && response.status < 400)
    throw new ProviderError(
      "provider_error",
      `${name} redirects from ${baseUrl} to ${response.headers.get("location")}. If that is right, set it as the base URL.`,
      { status: response.status },
    );
  if (!response.ok) {
    const fields = errorFieldsOfText(await beginning(response));
    const { status } = response;
    const wait = retryAfterMs(response.headers) ?? fields.retryDelayMs;
    const message = fields.message || response.statusText;
    throw statusFailure({ ...fields, message, status, ...defined({ retryDelayMs: wait }) }, context);
  }
  const type = response.headers.get("content-type") ?? "";
  if (/\bjson\b/i.test(type)) {
    const fields = errorFieldsOfText(await beginning(response));
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

/** Enough to read an error from; a body without an end can't hold us up or fill the memory. */
async function beginning(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= ERROR_BODY_READ) break;
  }
  return text;
}

function watched({ body, status, headers }: Response, liveness: CallLiveness): Response {
  return new Response(body && signing(body, liveness), { status, headers });
}

function signing(body: ReadableStream<Uint8Array>, liveness: CallLiveness): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        liveness.sign();
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead: a stream that breaks would lose what it has and nobody took yet.
    { highWaterMark: 0 },
  );
}
