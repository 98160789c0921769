// The exit codes. They are documented and stable, and depend on the error's code alone.
import type { ErrorCode } from "../domain/error.ts";

export const EXIT_DONE = 0;
export const EXIT_ABORTED = 130;
export const EXIT_CLOSED_PIPE = 141;

const CODES: Readonly<Record<ErrorCode, number>> = {
  usage: 2,
  config: 3,
  auth: 3,
  model_not_found: 3,
  provider_unreachable: 4,
  rate_limited: 4,
  provider_error: 4,
  limit: 5,
  permission: 6,
  timeout: 124,
  aborted: EXIT_ABORTED,
  context_overflow: 1,
  empty_response: 1,
  wire_gate: 1,
  output_schema: 1,
  internal: 1,
};

export function exitCodeOf(code: ErrorCode): number {
  return CODES[code];
}
