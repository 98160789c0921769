// Reads the body that is about to be sent and holds it back if the vendor would refuse it. A violation is a bug
// of ours, so it is reported with its exact place.
import { isJsonObject, parseJson } from "../../base/json.ts";
import { WireGateError } from "../../domain/error.ts";
import type { Wire } from "../settings.ts";
import { checkAnthropic } from "./anthropic.ts";
import type { Check } from "./check.ts";
import { checkGoogle } from "./google.ts";
import { checkOpenaiChat } from "./openai-chat.ts";
import { checkOpenaiResponses } from "./openai-responses.ts";

const CHECKS: Readonly<Record<Wire, Check>> = {
  "openai-chat": checkOpenaiChat,
  "openai-responses": checkOpenaiResponses,
  anthropic: checkAnthropic,
  google: checkGoogle,
};

/** Throws a WireGateError. */
export function passGate(wire: Wire, body: unknown): void {
  const violations = findViolations(wire, body);
  if (violations.length > 0) throw new WireGateError(violations);
}

export function findViolations(wire: Wire, body: unknown): string[] {
  if (typeof body !== "string") return ["the body is not text"];
  const parsed = parseJson(body);
  if (!parsed.ok) return [`the body is not JSON: ${parsed.problem}`];
  if (!isJsonObject(parsed.value)) return ["the body is not an object"];
  const violations: string[] = [];
  CHECKS[wire](parsed.value, (place, problem) => violations.push(`${place}: ${problem}`));
  return violations;
}
