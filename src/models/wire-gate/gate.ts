// Reads the body that is about to be sent and holds it back if the vendor would refuse it. A violation is a bug
// of ours, so it is reported with its exact place.
import { isJsonObject, type JsonValue, parseJson } from "../../base/json.ts";
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

/** Throws a WireGateError. url: Google names the model there. */
export function passGate(wire: Wire, body: unknown, url: string): void {
  const violations = findViolations(wire, body, /\/models\/([^/:]+):/.exec(url)?.[1]);
  if (violations.length > 0) throw new WireGateError(violations);
}

export function findViolations(wire: Wire, body: unknown, model = ""): string[] {
  if (typeof body !== "string") return ["the body is not text"];
  const parsed = parseJson(body);
  if (!parsed.ok) return [`the body is not JSON: ${parsed.problem}`];
  if (!isJsonObject(parsed.value)) return ["the body is not an object"];
  if (body.includes(SURROGATE_ESCAPE) && !isWellFormed(parsed.value))
    return ["the body holds half a character"];
  const violations: string[] = [];
  CHECKS[wire](parsed.value, (place, problem) => violations.push(`${place}: ${problem}`), model);
  return violations;
}

/** JSON.stringify writes whole characters as they are and escapes only halves of them. */
const SURROGATE_ESCAPE = "\\ud";

function isWellFormed(value: JsonValue): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isWellFormed);
}
