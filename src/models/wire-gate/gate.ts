// Reads the body that is about to be sent and holds it back if the vendor would refuse it. A violation is a bug
// of ours, so it is reported with its exact place.
import { isJsonObject, type JsonObject, parseJson } from "../../base/json.ts";
import { WireGateError } from "../../domain/error.ts";
import type { Wire } from "../settings.ts";
import { anthropic } from "./anthropic.ts";
import { eachObject, type Grammar } from "./check.ts";
import { google } from "./google.ts";
import { holdsHalves, mayHoldHalves } from "./half-characters.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { type BodyReport, createReport } from "./report.ts";

const GRAMMARS: Readonly<Record<Wire, Grammar>> = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  anthropic,
  google,
};

/** Throws a WireGateError. url: Google names the model there. */
export function assertSendable(wire: Wire, body: unknown, url: string): void {
  const model = /\/models\/([^/:]+):/.exec(url)?.[1] ?? "";
  const violations = findViolations(wire, body, model);
  if (violations.length > 0) throw new WireGateError(violations);
}

export function findViolations(wire: Wire, body: unknown, model = ""): string[] {
  if (typeof body !== "string") return ["the body is not text"];
  const parsed = parseJson(body);
  if (!parsed.ok) return [`the body is not JSON: ${parsed.problem}`];
  if (!isJsonObject(parsed.value)) return ["the body is not an object"];
  if (mayHoldHalves(body) && holdsHalves(parsed.value)) return ["the body holds half a character"];
  const violations: string[] = [];
  const report = createReport((violation) => violations.push(violation));
  check(GRAMMARS[wire], parsed.value, model, report);
  return violations;
}

function check(
  { list, mayBeText, begin }: Grammar,
  body: JsonObject,
  model: string,
  report: BodyReport,
): void {
  const messageCheck = begin();
  const messages = body[list];
  if (mayBeText && typeof messages === "string") {
    if (messages === "") report.here(list, "must not be empty");
  } else if (!Array.isArray(messages)) report.here(list, "must be a list");
  else {
    if (messages.length === 0) report.here(list, "must not be empty");
    eachObject(messages, list, report, (message, index) => messageCheck.step(message, index, report));
  }
  messageCheck.end(body, model, report);
}
