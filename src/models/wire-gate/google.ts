// The grammar of Gemini's generateContent: the first and the last turn are a user's; a model's turn with
// function calls comes right after one, and the very next turn holds exactly as many responses, in kind.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { type BodyCheck, checkTool, eachObject, type Grammar, isFilled } from "./check.ts";
import { checkPart, NAME } from "./google-part.ts";
import type { BodyReport } from "./report.ts";

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

/** What the contents so far leave behind. */
interface Sofar {
  before: Content | undefined;
  /** Contents of the running turn with calls that are not signed. */
  unsigned: number[];
}

export const google: Grammar = { list: "contents", begin };

function begin(): BodyCheck {
  const sofar: Sofar = { before: undefined, unsigned: [] };
  return {
    step: (message, index, report) => {
      const content = readContent(message, index, report);
      if (index === 0 && content.role !== "user") report.here(".role", "must be user");
      if (sofar.before !== undefined) checkAnswered(sofar.before, content, report);
      checkOrder(content, sofar.before, report);
      sofar.before = content;
      if (content.speaks) sofar.unsigned = [];
      else if (content.calls.length > 0 && !content.signed) sofar.unsigned.push(index);
    },
    end: (body, model, report) => {
      const last = sofar.before;
      if (last !== undefined) {
        if (last.role !== "user") report.there(`contents[${last.index}].role`, "must be user");
        checkAnswered(last, undefined, report);
      }
      if (/gemini-([3-9]|\d\d)/.test(model)) reportUnsigned(sofar, report);
      checkSystem(body["systemInstruction"], report);
      checkGoogleTools(body, report);
    },
  };
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
  const parts = eachObject(content["parts"], ".parts", report, (part) => {
    checkPart(part, role, report);
    const { functionCall: call, functionResponse: response } = part;
    if (call !== undefined) firstCall ??= part;
    if (isJsonObject(call)) calls.push(call);
    if (isJsonObject(response)) responses.push(response);
    if (response === undefined && role === "user") speaks = true;
  });
  if (parts === 0) report.here(".parts", "must not be empty");
  return { index, role, calls, responses, speaks, signed: isFilled(firstCall?.["thoughtSignature"]) };
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
  for (const response of responses) {
    const index = open.findIndex((call) => isSameCall(call, response, haveIds));
    if (index === -1) report.here("", `answers no open call: ${JSON.stringify(response["name"])}`);
    else open.splice(index, 1);
  }
}

function isSameCall(call: JsonObject, response: JsonObject, haveIds: boolean): boolean {
  const { id } = response;
  return call["name"] === response["name"] && (!haveIds || id === undefined || id === call["id"]);
}

/** From Gemini 3 on, each step of the running turn gives the signature of its first call back. */
function reportUnsigned({ unsigned }: Sofar, report: BodyReport): void {
  for (const index of unsigned)
    report.there(`contents[${index}]`, "must have the thought signature of its first call");
}

function checkSystem(system: JsonValue | undefined, report: BodyReport): void {
  if (system === undefined) return;
  const place = "systemInstruction.parts";
  const given = isJsonObject(system) ? system["parts"] : undefined;
  const parts = eachObject(given, place, report, (part) => {
    if (!isFilled(part["text"])) report.here(".text", "must not be empty");
  });
  if (parts === 0) report.here(place, "must not be empty");
}

function checkGoogleTools(body: JsonObject, report: BodyReport): void {
  if (body["tools"] === undefined) return;
  const known = { names: new Set<string>(), pattern: NAME };
  eachObject(body["tools"], "tools", report, (tool) => {
    eachObject(tool["functionDeclarations"] ?? [], ".functionDeclarations", report, (declared) => {
      const schema = declared["parameters"] ?? declared["parametersJsonSchema"];
      checkTool(declared["name"], schema, known, report);
    });
  });
}
