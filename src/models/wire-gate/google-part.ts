// One part of a content of generateContent, seen by itself.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { checkBase64, isFilled } from "./check.ts";
import type { BodyReport } from "./report.ts";

export const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const SIGNATURE = /^[\w+/-]+={0,2}$/;

const KINDS = ["text", "inlineData", "fileData", "functionCall", "functionResponse"] as const;

export function checkPart(part: JsonObject, role: unknown, report: BodyReport): void {
  const kind = kindOf(part);
  if (kind === undefined) {
    report.here("", `must have exactly one of ${KINDS.join(", ")}`);
    return;
  }
  const signature = part["thoughtSignature"];
  if (signature !== undefined && (typeof signature !== "string" || !SIGNATURE.test(signature)))
    report.here(".thoughtSignature", "must be base64");
  // A thought's signature may come on a text that is empty.
  if (kind === "text" && !isFilled(part["text"]) && !isFilled(signature))
    report.here(".text", "must not be empty");
  if (kind === "inlineData") checkInline(part["inlineData"], report);
  if (kind === "functionCall") checkCall(part["functionCall"], role, report);
  if (kind === "functionResponse") checkResponse(part["functionResponse"], role, report);
}

/** Undefined where there is none, or more than one. */
function kindOf(part: JsonObject): (typeof KINDS)[number] | undefined {
  let found: (typeof KINDS)[number] | undefined;
  for (const kind of KINDS)
    if (part[kind] !== undefined) {
      if (found !== undefined) return undefined;
      found = kind;
    }
  return found;
}

function checkInline(data: JsonValue | undefined, report: BodyReport): void {
  const { mimeType, data: bytes } = isJsonObject(data) ? data : {};
  if (typeof mimeType !== "string" || !/^\w+\/[\w.+-]+$/.test(mimeType))
    report.here(".inlineData.mimeType", "must name a type");
  checkBase64(bytes, ".inlineData.data", report);
}

function checkCall(call: JsonValue | undefined, role: unknown, report: BodyReport): void {
  if (role !== "model") report.here(".functionCall", "must be a model's");
  const { name, args } = isJsonObject(call) ? call : {};
  if (typeof name !== "string" || !NAME.test(name)) report.here(".functionCall.name", `must be like ${NAME}`);
  if (args !== undefined && !isJsonObject(args)) report.here(".functionCall.args", "must be an object");
}

function checkResponse(given: JsonValue | undefined, role: unknown, report: BodyReport): void {
  if (role !== "user") report.here(".functionResponse", "must be a user's");
  const { name, response } = isJsonObject(given) ? given : {};
  if (typeof name !== "string" || !NAME.test(name))
    report.here(".functionResponse.name", `must be like ${NAME}`);
  if (!isJsonObject(response)) report.here(".functionResponse.response", "must be an object");
}
