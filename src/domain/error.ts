// Errors of the program, each with a literal code. What a model did wrong is a value, not an error;
// bugs are plain Errors and crash.

/** Stable, because exit codes and the json output depend on it. */
export type ErrorCode =
  | "usage"
  | "config"
  | "auth"
  | "model_not_found"
  | "provider_unreachable"
  | "rate_limited"
  | "provider_error"
  | "limit"
  | "permission"
  | "timeout"
  | "aborted"
  | "context_overflow"
  | "empty_response"
  | "wire_gate"
  | "output_schema"
  | "internal";

export class TunacodeError extends Error {
  // Written out in each class, because a bundler may rename the class.
  override readonly name: string = "TunacodeError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A person stopped the request. */
export class UserAbortError extends TunacodeError {
  override readonly name = "UserAbortError";

  constructor(message = "The request was stopped.") {
    super("aborted", message);
  }
}

/** The reason to stop a request whose listener failed: it is closed like an aborted one, but has failed. */
export class ListenerFailure extends Error {
  /** What the listener threw. */
  readonly error: Error;

  constructor(thrown: unknown) {
    super(errorMessage(thrown));
    this.name = "ListenerFailure";
    this.error = thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

export class GlobalRequestTimeoutError extends TunacodeError {
  override readonly name = "GlobalRequestTimeoutError";
  readonly seconds: number;

  constructor(seconds: number) {
    super("timeout", `The request took longer than ${seconds} s and was stopped.`);
    this.seconds = seconds;
  }
}

export class ConfigError extends TunacodeError {
  override readonly name = "ConfigError";

  constructor(message: string) {
    super("config", message);
  }
}

interface ProviderFailure {
  readonly status?: number;
  /** Decided where the status is known, never by reading a message. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  /** More retries than this are useless, unless a person asked for them. */
  readonly mostRetries?: number;
  /** The content of the request was refused; what the refusal names of it, in the words of a SimplerForm. */
  readonly refused?: readonly string[];
  /** The answer had begun. What has arrived stays, and the answer can be continued. */
  readonly brokenOff?: boolean;
  readonly cause?: unknown;
}

/** A vendor refused, failed, or could not be reached. */
export class ProviderError extends TunacodeError {
  override readonly name = "ProviderError";
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly mostRetries: number | undefined;
  readonly refused: readonly string[] | undefined;
  readonly brokenOff: boolean;

  constructor(code: ErrorCode, message: string, failure: ProviderFailure = {}) {
    super(code, message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.status = failure.status;
    this.retryable = failure.retryable ?? false;
    this.retryAfterMs = failure.retryAfterMs;
    this.mostRetries = failure.mostRetries;
    this.refused = failure.refused;
    this.brokenOff = failure.brokenOff ?? false;
  }
}

/** Our own check found a request the vendor would refuse; it was not sent. */
export class WireGateError extends TunacodeError {
  override readonly name = "WireGateError";
  readonly violations: readonly string[];
  /** As in a ProviderError. */
  readonly refused: readonly string[] | undefined;

  constructor(violations: readonly string[], refused?: readonly string[]) {
    super("wire_gate", `A request was not sent because its shape is invalid: ${violations.join("; ")}`);
    this.violations = violations;
    this.refused = refused;
  }
}

export class EmptyResponseError extends TunacodeError {
  override readonly name = "EmptyResponseError";

  constructor(attempts: number) {
    super(
      "empty_response",
      `The model answered with nothing${attempts > 1 ? ` ${attempts} times in a row` : ""}. Try again, or another model.`,
    );
  }
}

/** A tool's failure that is never retried, because it would fail again; its message is what the model reads. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function errorCode(error: unknown): ErrorCode {
  return error instanceof TunacodeError ? error.code : "internal";
}
