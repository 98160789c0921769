// Reads the body that is about to be sent and holds it back if the vendor would refuse it. A violation is a bug
// of ours, so it is reported with its exact place.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";
import { WireGateError } from "../../domain/error.ts";
import { contentRefusal } from "../refusal.ts";
import type { Wire } from "../settings.ts";
import { checkAnthropicBody } from "./anthropic.ts";
import { checkGoogleBody } from "./google.ts";
import { checkChatBody } from "./openai-chat.ts";
import { checkResponsesBody } from "./openai-responses.ts";
import { BodyReport } from "./report.ts";

const GRAMMARS: Readonly<Record<Wire, (body: JsonObject, report: BodyReport, model: string) => void>> = {
  "openai-chat": checkChatBody,
  "openai-responses": checkResponsesBody,
  anthropic: checkAnthropicBody,
  google: checkGoogleBody,
};

/** Throws a WireGateError. url: Google names the model there. */
export function assertSendable(wire: Wire, body: unknown, url: string): void {
  const model = /\/models\/([^/:]+):/.exec(url)?.[1] ?? "";
  const violations = findViolations(wire, body, model);
  if (violations.length === 0) return;
  const refused = contentRefusal({ status: 400, message: violations.join(" ") }, String(body));
  throw new WireGateError(violations, refused);
}

export function findViolations(wire: Wire, body: unknown, model = ""): string[] {
  if (typeof body !== "string") return ["the body is not text"];
  const parsed = parseJson(body);
  if (!parsed.ok) return [`the body is not JSON: ${parsed.problem}`];
  if (!isJsonObject(parsed.value)) return ["the body is not an object"];
  if (mayHoldLoneSurrogate(body) && holdsLoneSurrogate(parsed.value))
    return ["the body holds half a character"];
  const report = new BodyReport();
  GRAMMARS[wire](parsed.value, report, model);
  return report.violations;
}

/** Fast, and certain if it says no. A lone surrogate may be written as it is or as an escape. */
function mayHoldLoneSurrogate(json: string): boolean {
  return json.includes("\\ud") || json.includes("\\uD") || !json.isWellFormed();
}

function holdsLoneSurrogate(value: JsonValue): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsLoneSurrogate);
}
