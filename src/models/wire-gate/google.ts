// The grammar of Gemini's generateContent: the first and the last turn are a user's; a model's turn with
// function calls comes right after one, and the very next turn holds exactly as many responses, in kind.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { type Check, checkBase64, checkTools, isFilled, objectsOf, type Report } from "./check.ts";

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

const KINDS = ["text", "inlineData", "fileData", "functionCall", "functionResponse"] as const;

interface Content {
  readonly place: string;
  readonly role: JsonValue | undefined;
  readonly calls: readonly JsonObject[];
  readonly responses: readonly JsonObject[];
  /** Holds more than responses, so a person speaks and a new turn begins. */
  readonly speaks: boolean;
  /** Whether the first call is signed by the model that made it. */
  readonly signed: boolean;
}

export const checkGoogle: Check = (body, report, model) => {
  const contents = objectsOf(body["contents"], "contents", report).map((content, index) =>
    readContent(content, `contents[${index}]`, report),
  );
  if (contents.length === 0) report("contents", "must not be empty");
  else {
    if (contents[0]?.role !== "user") report("contents[0].role", "must be user");
    if (contents.at(-1)?.role !== "user") report(`contents[${contents.length - 1}].role`, "must be user");
  }
  contents.forEach((content, index) => {
    checkOrder(content, contents[index - 1], contents[index + 1], report);
  });
  if (/gemini-([3-9]|\d\d)/.test(model)) checkSigned(contents, report);
  checkSystem(body["systemInstruction"], report);
  checkGoogleTools(body, report);
};

function readContent(content: JsonObject, place: string, report: Report): Content {
  // A turn without a role is a user's, and so are responses under their older role.
  const given = content["role"] ?? "user";
  const role = given === "function" ? "user" : given;
  if (role !== "user" && role !== "model") report(`${place}.role`, `must not be ${JSON.stringify(role)}`);
  const parts = objectsOf(content["parts"], `${place}.parts`, report);
  if (parts.length === 0) report(`${place}.parts`, "must not be empty");
  parts.forEach((part, index) => {
    checkPart(part, role, `${place}.parts[${index}]`, report);
  });
  return {
    place,
    role,
    calls: parts.flatMap((part) => objectOr(part["functionCall"])),
    responses: parts.flatMap((part) => objectOr(part["functionResponse"])),
    speaks: role === "user" && parts.some((part) => part["functionResponse"] === undefined),
    signed: isFilled(parts.find((part) => part["functionCall"] !== undefined)?.["thoughtSignature"]),
  };
}

function checkPart(part: JsonObject, role: unknown, place: string, report: Report): void {
  const kinds = KINDS.filter((kind) => part[kind] !== undefined);
  if (kinds.length !== 1) {
    report(place, `must have exactly one of ${KINDS.join(", ")}`);
    return;
  }
  const signature = part["thoughtSignature"];
  if (signature !== undefined && (typeof signature !== "string" || !/^[\w+/-]+={0,2}$/.test(signature)))
    report(`${place}.thoughtSignature`, "must be base64");
  const [kind] = kinds;
  // A thought's signature may come on a text that is empty.
  if (kind === "text" && !isFilled(part["text"]) && !isFilled(part["thoughtSignature"]))
    report(`${place}.text`, "must not be empty");
  if (kind === "inlineData") checkInline(part["inlineData"], `${place}.inlineData`, report);
  if (kind === "functionCall") checkCall(part["functionCall"], role, `${place}.functionCall`, report);
  if (kind === "functionResponse")
    checkResponse(part["functionResponse"], role, `${place}.functionResponse`, report);
}

function checkInline(data: JsonValue | undefined, place: string, report: Report): void {
  const { mimeType, data: bytes } = isJsonObject(data) ? data : {};
  if (typeof mimeType !== "string" || !/^\w+\/[\w.+-]+$/.test(mimeType))
    report(`${place}.mimeType`, "must name a type");
  checkBase64(bytes, `${place}.data`, report);
}

function checkCall(call: JsonValue | undefined, role: unknown, place: string, report: Report): void {
  if (role !== "model") report(place, "must be a model's");
  const { name, args } = isJsonObject(call) ? call : {};
  if (typeof name !== "string" || !NAME.test(name)) report(`${place}.name`, `must be like ${NAME}`);
  if (args !== undefined && !isJsonObject(args)) report(`${place}.args`, "must be an object");
}

function checkResponse(given: JsonValue | undefined, role: unknown, place: string, report: Report): void {
  if (role !== "user") report(place, "must be a user's");
  const { name, response } = isJsonObject(given) ? given : {};
  if (typeof name !== "string" || !NAME.test(name)) report(`${place}.name`, `must be like ${NAME}`);
  if (!isJsonObject(response)) report(`${place}.response`, "must be an object");
}

function checkOrder(
  { place, calls, responses }: Content,
  before: Content | undefined,
  after: Content | undefined,
  report: Report,
): void {
  if (calls.length > 0) {
    if (before?.role !== "user") report(place, "calls functions, so it must come right after a user's turn");
    if (after?.responses.length !== calls.length)
      report(place, `calls ${calls.length} functions, so as many responses must come right after it`);
  }
  if (responses.length === 0) return;
  if ((before?.calls.length ?? 0) === 0) {
    report(place, "answers functions that the turn before didn't call");
    return;
  }
  checkSameCalls(before?.calls ?? [], responses, place, report);
}

/** From Gemini 3 on, each step of the running turn gives the signature of its first call back. */
function checkSigned(contents: readonly Content[], report: Report): void {
  const begin = contents.findLastIndex(({ speaks }) => speaks);
  for (const { place, calls, signed } of contents.slice(begin + 1))
    if (calls.length > 0 && !signed) report(place, "must have the thought signature of its first call");
}

/** Responses answer the calls of the turn before: the same names, and the same ids where there are any. */
function checkSameCalls(
  calls: readonly JsonObject[],
  responses: readonly JsonObject[],
  place: string,
  report: Report,
): void {
  const open = [...calls];
  const haveIds = calls.some((call) => call["id"] !== undefined);
  for (const response of responses) {
    const index = open.findIndex((call) => isSameCall(call, response, haveIds));
    if (index === -1) report(place, `answers no open call: ${JSON.stringify(response["name"])}`);
    else open.splice(index, 1);
  }
}

function isSameCall(call: JsonObject, response: JsonObject, haveIds: boolean): boolean {
  const { id } = response;
  return call["name"] === response["name"] && (!haveIds || id === undefined || id === call["id"]);
}

function checkSystem(system: JsonValue | undefined, report: Report): void {
  if (system === undefined) return;
  const parts = objectsOf(
    isJsonObject(system) ? system["parts"] : undefined,
    "systemInstruction.parts",
    report,
  );
  if (parts.length === 0) report("systemInstruction.parts", "must not be empty");
  parts.forEach((part, index) => {
    if (!isFilled(part["text"])) report(`systemInstruction.parts[${index}].text`, "must not be empty");
  });
}

function checkGoogleTools(body: JsonObject, report: Report): void {
  if (body["tools"] === undefined) return;
  const named = objectsOf(body["tools"], "tools", report).flatMap((tool, index) => {
    const place = `tools[${index}].functionDeclarations`;
    return objectsOf(tool["functionDeclarations"] ?? [], place, report).map((declared, at) => ({
      place: `${place}[${at}]`,
      name: declared["name"],
      schema: declared["parameters"] ?? declared["parametersJsonSchema"],
    }));
  });
  checkTools(named, NAME, report);
}

function objectOr(value: JsonValue | undefined): JsonObject[] {
  return isJsonObject(value) ? [value] : [];
}
