// Turns what went wrong with a vendor into a ProviderError: its code, whether trying again can help, and a plain
// explanation with the next step. The status and fields decide. Nothing of the vendor's or the SDK's error objects is
// kept, because they hold headers, bodies and addresses. Keys are masked in what a person reads.

import { defined } from "../base/defined.ts";
import { failureCode } from "../base/failure-code.ts";
import { isJsonObject } from "../base/json.ts";
import { type ErrorCode, errorMessage, ProviderError, TunacodeError } from "../domain/error.ts";
import { type ErrorFields, errorFields, errorFieldsOfText, isErrorChunk } from "./error-fields.ts";
import type { StreamFault } from "./from-stream.ts";
import { isContextOverflow } from "./overflow.ts";
import { contentRefusal, namedContent } from "./refusal.ts";
import type { ResolvedProvider } from "./resolve-provider.ts";

export interface FailureContext {
  readonly provider: ResolvedProvider;
  readonly model: string;
  readonly mask: (text: string) => string;
}

/** From anything that the SDK threw. */
export function toFailure(error: unknown, context: FailureContext, step = UNHARMED): TunacodeError {
  for (const cause of causes(error)) if (cause instanceof TunacodeError) return cause;
  const fields = sdkFields(error);
  if (fields !== undefined) return statusFailure(fields, context);
  if (causes(error).some(isNetworkError)) return networkFailure(error, context);
  if (error instanceof Error && UNWRITABLE.test(error.name)) return unwritable(error, context);
  return new ProviderError("provider_error", `${unreadable(error, context)} ${step}`.trimEnd());
}

/** What the SDK throws when it can't make a body of the conversation. Nothing was sent. */
const UNWRITABLE = /^AI_(UnsupportedFunctionality|InvalidPrompt|InvalidArgument)Error$/;

function unwritable({ message }: Error, { provider, mask }: FailureContext): ProviderError {
  const why = inOneLine(mask(message)).replace(/\.$/, "");
  const words = `The conversation could not be written for ${provider.name}: ${why}. ${UNHARMED}`;
  return new ProviderError("provider_error", words, { refused: namedContent(message, "") });
}

/** From anything that went wrong in a stream that had begun. */
export function faultFailure({ reported }: StreamFault, context: FailureContext): TunacodeError {
  if (reported === undefined) {
    const message = `${context.provider.name} ended its answer before it was whole.`;
    return new ProviderError("provider_unreachable", message, { retryable: true });
  }
  // The SDK's error about a chunk that it could not read holds the chunk, which may be a vendor's error.
  const chunk = reported instanceof Error && "value" in reported ? reported.value : undefined;
  if (isErrorChunk(chunk)) return statusFailure(errorFields(chunk), context);
  // An answer that breaks off is continued, so there is nothing that a person should do.
  if (reported instanceof Error) return toFailure(reported, context, "");
  return statusFailure(errorFields(reported), context);
}

/** A status other than 2xx, or an error reported inside a stream. body: what was sent, where that is known. */
export function statusFailure(fields: ErrorFields, context: FailureContext, body?: string): ProviderError {
  const { status, retryDelayMs } = fields;
  const { code, retryable, what, step, refused } = verdict(fields, context, body);
  const words = inOneLine(context.mask(fields.message));
  const said = words === "" ? "" : ` It says: "${words}".`;
  const number = status === undefined ? "" : ` (${status})`;
  const message = `${context.provider.name} ${what}${number}.${said}${step && ` ${step}`}`;
  return new ProviderError(
    code,
    message,
    defined({ retryable, status, refused, retryAfterMs: retryDelayMs }),
  );
}

export function networkFailure(error: unknown, { provider, mask }: FailureContext): ProviderError {
  // The SDK wraps the network's error in its own.
  const cause = causes(error).find(isNetworkError) ?? error;
  const { name, baseUrl, local } = provider;
  const why = firstSentence(mask(errorMessage(cause)));
  const step = local ? "Is the server running?" : "Check the network and, if you set one, the base URL.";
  const isBroken = /RESET|EPIPE|Closed/.test(failureCode(cause));
  const message = isBroken
    ? `The connection to ${name} at ${baseUrl} broke: ${why}.`
    : `${name} can't be reached at ${baseUrl}: ${why}. ${step}`;
  const mostRetries = local && /refused/i.test(failureCode(cause)) ? REFUSED_RETRIES : undefined;
  return new ProviderError("provider_unreachable", message, defined({ retryable: true, mostRetries }));
}

/** Nobody listens: only a server that is just starting changes that, and then within seconds. */
const REFUSED_RETRIES = 2;

/** The sentences after the first are the runtime's advice to programmers. */
function firstSentence(text: string): string {
  return (text.split(/[.?!]\s/)[0] ?? text).replace(/[.?!\s]+$/, "");
}

/** The SDK's errors hold what the vendor sent; their cause says why it can't be used. */
function unreadable(error: unknown, { provider, mask }: FailureContext): string {
  const { text, value, cause } = isJsonObject(error) ? error : {};
  const sent = typeof text === "string" ? text : JSON.stringify(value);
  const why = sent === undefined || cause === undefined ? errorMessage(error) : errorMessage(cause);
  const shown = sent === undefined ? "" : `, in ${inOneLine(mask(sent))}`;
  const words = why.includes(FIRST_EVENT_LOST)
    ? "it begins with something that is no event"
    : why.replace(/\.$/, "");
  return `The answer of ${provider.name} could not be read: ${inOneLine(mask(words))}${shown}.`;
}

/** All that Anthropic's package says about a first event that it can't use. */
const FIRST_EVENT_LOST = "Expected a normalized Anthropic stream error";
const UNHARMED = "The session is unharmed: try again, or choose another model.";
const WORDS_SHOWN = 500;

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, WORDS_SHOWN);
}

interface Verdict {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly what: string;
  readonly step: string;
  readonly refused?: readonly string[];
}

function verdict(fields: ErrorFields, context: FailureContext, body: string | undefined): Verdict {
  const { provider, model } = context;
  const { status, code } = fields;
  const key = provider.keyNames.join(" or ");
  if (isContextOverflow(fields)) {
    const tooLong = stop("context_overflow", "says the conversation doesn't fit into the model", "");
    // Most of a body that is too large are its images, if it has any.
    return status === 413 ? { ...tooLong, refused: ["image"] } : tooLong;
  }
  // Google answers a wrong key with a 400.
  if (status === 401 || code === "API_KEY_INVALID" || code === "invalid_api_key")
    return stop("auth", "refused the key", `Check ${key || "the key"}, or run \`tunacode setup\`.`);
  const refused = contentRefusal(fields, body);
  if (refused !== undefined) return { ...stop("provider_error", "refused the request", UNHARMED), refused };
  switch (status) {
    case 402:
      return stop("provider_error", "wants to be paid first", "Top up the account, or choose another model.");
    case 403:
      return stop("auth", `doesn't allow this key to use ${model}`, "Choose another model, or another key.");
    case 404:
      return stop(
        "model_not_found",
        `has no model called ${model} at ${provider.baseUrl}`,
        `\`tunacode models ${provider.name}\` lists some it has.`,
      );
    case 429:
      return isQuota(fields)
        ? stop("rate_limited", "says the quota is used up", "Waiting won't help: check the plan and billing.")
        : again("rate_limited", "asks to slow down");
    case 408:
    case 409:
      return again("provider_error", "could not finish in time");
    case 503:
    case 529:
      return again("provider_error", "is overloaded");
  }
  if (status === undefined || status >= 500) return again("provider_error", "had a failure of its own");
  return stop("provider_error", "refused the request", UNHARMED);
}

function stop(code: ErrorCode, what: string, step: string): Verdict {
  return { code, retryable: false, what, step };
}

function again(code: ErrorCode, what: string): Verdict {
  return { code, retryable: true, what, step: "" };
}

function isQuota({ code, type }: ErrorFields): boolean {
  return [code, type].some((name) => name === "insufficient_quota" || name === "billing_hard_limit_reached");
}

/** An error frame before any output is thrown by the SDK, with the frame as its body. */
function sdkFields(error: unknown): ErrorFields | undefined {
  if (!(error instanceof Error) || !("statusCode" in error) || !("responseBody" in error)) return undefined;
  if (typeof error.responseBody !== "string") return undefined;
  const fields = errorFieldsOfText(error.responseBody);
  const thrown = typeof error.statusCode === "number" ? error.statusCode : undefined;
  const status = fields.status ?? thrown;
  return { ...fields, message: fields.message || error.message, ...defined({ status }) };
}

function causes(error: unknown): unknown[] {
  const found: unknown[] = [];
  let current = error;
  while (current !== undefined && current !== null && !found.includes(current)) {
    found.push(current);
    current = current instanceof Error || isJsonObject(current) ? Reflect.get(current, "cause") : undefined;
  }
  return found;
}

/** Bun, Node and undici name network errors differently; all have a code. */
function isNetworkError(error: unknown): boolean {
  return NETWORK_CODES.test(failureCode(error));
}

const NETWORK_CODES = /^(E[A-Z]+|UND_ERR_\w+|Connection\w+|FailedToOpenSocket|\w*(Socket|CERT|TLS|SSL)\w*)$/;
