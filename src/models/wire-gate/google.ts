// The grammar of Gemini's generateContent: the first and the last turn are a user's; a model's turn with function
// calls comes right after one, and the very next turn holds exactly as many responses, in kind.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import {
  BASE64,
  checkFields,
  eachObject,
  eachOfSome,
  FILLED,
  fields,
  isFilled,
  like,
  OBJECT,
  optional,
  toolCheck,
} from "./check.ts";
import type { BodyReport } from "./report.ts";

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
const PART = fields({ thoughtSignature: optional(like(/^[\w+/-]+={0,2}$/)) });
const INLINE_DATA = fields({ mimeType: like(/^\w+\/[\w.+-]+$/), data: BASE64 });
const TEXT_PART = fields({ text: FILLED });
const CALL = fields({ name: like(NAME), args: optional(OBJECT) });
const RESPONSE = fields({ name: like(NAME), response: OBJECT });

interface Content {
  readonly index: number;
  readonly role: JsonValue;
  readonly calls: readonly JsonObject[];
  readonly responses: readonly JsonObject[];
  /** Holds more than responses, so a person speaks and a new turn begins. */
  readonly speaks: boolean;
  /** Whether the first call is signed by the model that made it. */
  readonly signed: boolean;
}

export function checkGoogleBody(body: JsonObject, report: BodyReport, model: string): void {
  const contents: Content[] = [];
  eachOfSome(body["contents"], "contents", report, (message, index) => {
    const content = readContent(message, index, report);
    if (index === 0 && content.role !== "user") report.here(".role", "must be user");
    checkOrder(content, contents.at(-1), report);
    contents.push(content);
  });
  for (const [at, content] of contents.entries()) checkAnswered(content, contents[at + 1], report);
  const last = contents.at(-1);
  if (last !== undefined && last.role !== "user")
    report.there(`contents[${last.index}].role`, "must be user");
  if (/gemini-([3-9]|\d\d)/.test(model)) reportUnsigned(contents, report);
  checkSystem(body["systemInstruction"], report);
  if (body["tools"] === undefined) return;
  const checkTool = toolCheck(NAME, report);
  eachObject(body["tools"], "tools", report, (tool) => {
    eachObject(tool["functionDeclarations"] ?? [], ".functionDeclarations", report, (declared) =>
      checkTool(declared["name"], declared["parameters"] ?? declared["parametersJsonSchema"]),
    );
  });
}

function readContent(content: JsonObject, index: number, report: BodyReport): Content {
  // A turn without a role is a user's, and so are responses under their older role.
  const given = content["role"] ?? "user";
  const role = given === "function" ? "user" : given;
  if (role !== "user" && role !== "model") report.here(".role", `must not be ${JSON.stringify(role)}`);
  const calls: JsonObject[] = [];
  const responses: JsonObject[] = [];
  let speaks = false;
  let firstCall: JsonObject | undefined;
  eachOfSome(content["parts"], ".parts", report, (part) => {
    checkPart(part, role, report);
    const { functionCall: call, functionResponse: response } = part;
    if (call !== undefined) firstCall ??= part;
    if (isJsonObject(call)) calls.push(call);
    if (isJsonObject(response)) responses.push(response);
    if (response === undefined && role === "user") speaks = true;
  });
  return { index, role, calls, responses, speaks, signed: isFilled(firstCall?.["thoughtSignature"]) };
}

/** What is inside a part of a kind. */
const INNER = [
  ["inlineData", INLINE_DATA],
  ["functionCall", CALL],
  ["functionResponse", RESPONSE],
] as const;

const KINDS = ["text", "inlineData", "fileData", "functionCall", "functionResponse"];

function checkPart(part: JsonObject, role: JsonValue, report: BodyReport): void {
  const [kind, another] = KINDS.filter((name) => part[name] !== undefined);
  if (kind === undefined || another !== undefined)
    report.here("", `must have exactly one of ${KINDS.join(", ")}`);
  checkFields(part, PART, report);
  // A thought's signature may come on a text that is empty.
  if (kind === "text" && !isFilled(part["thoughtSignature"])) checkFields(part, TEXT_PART, report);
  if (kind === "functionCall" && role !== "model") report.here(".functionCall", "must be a model's");
  if (kind === "functionResponse" && role !== "user") report.here(".functionResponse", "must be a user's");
  for (const [name, rules] of INNER) {
    const value = part[name];
    if (value !== undefined) checkFields(isJsonObject(value) ? value : {}, rules, report, `.${name}`);
  }
}

/** As many responses as calls, in the very next turn. */
function checkAnswered({ index, calls }: Content, after: Content | undefined, report: BodyReport): void {
  if (calls.length > 0 && after?.responses.length !== calls.length)
    report.there(
      `contents[${index}]`,
      `calls ${calls.length} functions, so as many responses must come right after it`,
    );
}

function checkOrder({ calls, responses }: Content, before: Content | undefined, report: BodyReport): void {
  if (calls.length > 0 && before?.role !== "user")
    report.here("", "calls functions, so it must come right after a user's turn");
  if (responses.length === 0) return;
  if (before === undefined || before.calls.length === 0)
    report.here("", "answers functions that the turn before didn't call");
  else checkSameCalls(before.calls, responses, report);
}

/** Responses answer the calls of the turn before: the same names, and the same ids where there are any. */
function checkSameCalls(
  calls: readonly JsonObject[],
  responses: readonly JsonObject[],
  report: BodyReport,
): void {
  const open = [...calls];
  const haveIds = calls.some((call) => call["id"] !== undefined);
  for (const { name, id } of responses) {
    const isSameId = (call: JsonObject) => !haveIds || id === undefined || id === call["id"];
    const index = open.findIndex((call) => call["name"] === name && isSameId(call));
    if (index === -1) report.here("", `answers no open call: ${JSON.stringify(name)}`);
    else open.splice(index, 1);
  }
}

/** From Gemini 3 on, each step of the running turn gives the signature of its first call back. */
function reportUnsigned(contents: readonly Content[], report: BodyReport): void {
  const running = contents.slice(contents.findLastIndex(({ speaks }) => speaks) + 1);
  for (const { index, calls, signed } of running)
    if (calls.length > 0 && !signed)
      report.there(`contents[${index}]`, "must have the thought signature of its first call");
}

function checkSystem(system: JsonValue | undefined, report: BodyReport): void {
  if (system === undefined) return;
  const parts = isJsonObject(system) ? system["parts"] : undefined;
  eachOfSome(parts, "systemInstruction.parts", report, (part) => checkFields(part, TEXT_PART, report));
}
