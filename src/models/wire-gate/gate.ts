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
import { rememberSound } from "./remember.ts";
import { createReport, type Report } from "./report.ts";

const GRAMMARS: Readonly<Record<Wire, Grammar>> = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  anthropic,
  google,
};

/** Throws a WireGateError. url: Google names the model there. */
export type Gate = (body: unknown, url: string) => void;

/** Remembers what it let pass, so that a conversation that grows is not checked from its beginning every time. */
export function createGate(wire: Wire, parse = parseJson): Gate {
  const isKnownSound = rememberSound(GRAMMARS[wire], parse);
  return (body, url) => {
    const model = /\/models\/([^/:]+):/.exec(url)?.[1] ?? "";
    if (typeof body === "string" && isKnownSound(body, model)) return;
    const violations = findViolations(wire, body, model, parse);
    if (violations.length > 0) throw new WireGateError(violations);
  };
}

/** Of the whole body, whatever was checked before. */
export function findViolations(wire: Wire, body: unknown, model = "", parse = parseJson): string[] {
  if (typeof body !== "string") return ["the body is not text"];
  const parsed = parse(body);
  if (!parsed.ok) return [`the body is not JSON: ${parsed.problem}`];
  if (!isJsonObject(parsed.value)) return ["the body is not an object"];
  if (mayHoldHalves(body) && holdsHalves(parsed.value)) return ["the body holds half a character"];
  const violations: string[] = [];
  const report = createReport((violation) => violations.push(violation));
  check(GRAMMARS[wire], parsed.value, model, report);
  return violations;
}

function check({ list, mayBeText, begin }: Grammar, body: JsonObject, model: string, report: Report): void {
  const fold = begin();
  const messages = body[list];
  if (mayBeText && typeof messages === "string") {
    if (messages === "") report.here(list, "must not be empty");
  } else if (!Array.isArray(messages)) report.here(list, "must be a list");
  else {
    if (messages.length === 0) report.here(list, "must not be empty");
    eachObject(messages, list, report, (message, index) => fold.step(message, index, report));
  }
  fold.end(body, model, report);
}
