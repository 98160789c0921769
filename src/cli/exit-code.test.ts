// Scripts rely on these exit codes.
import { expect, test } from "bun:test";
import type { ErrorCode } from "../domain/error.ts";
import { exitCodeOf } from "./exit-code.ts";

const PROMISED: Readonly<Record<ErrorCode, number>> = {
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
  aborted: 130,
  context_overflow: 1,
  empty_response: 1,
  wire_gate: 1,
  output_schema: 1,
  internal: 1,
};

test.each(Object.entries(PROMISED) as [ErrorCode, number][])("%s: %d", (code, exit) => {
  expect(exitCodeOf(code)).toBe(exit);
});
