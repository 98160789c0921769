// The exit codes. They are documented and stable, and depend on the error's code alone.
import type { ErrorCode } from "../domain/error.ts";

export const EXIT_DONE = 0;
export const EXIT_ABORTED = 130;
export const EXIT_CLOSED_PIPE = 141;

export function exitCodeOf(code: ErrorCode): number {
  switch (code) {
    case "usage":
      return 2;
    case "config":
    case "auth":
    case "model_not_found":
      return 3;
    case "provider_unreachable":
    case "rate_limited":
    case "provider_error":
      return 4;
    case "limit":
      return 5;
    case "permission":
      return 6;
    case "timeout":
      return 124;
    case "aborted":
      return EXIT_ABORTED;
    case "context_overflow":
    case "empty_response":
    case "wire_gate":
    case "internal":
      return 1;
  }
}
