// The grammar of the Responses API, used without its store: every function call has exactly one output after
// it, no output is without its call, and reasoning is whole and leads to something.
import type { JsonObject, JsonValue } from "../../base/json.ts";
import {
  type BodyCheck,
  checkImageUrl,
  checkModel,
  checkTool,
  eachObject,
  type Grammar,
  isFilled,
} from "./check.ts";
import type { BodyReport } from "./report.ts";

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const LONGEST_ID = 64;
const ITEM_ID = /^[a-zA-Z0-9_-]{1,64}$/;
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/** What the items before one leave behind. */
interface Sofar {
  readonly calls: Set<JsonValue>;
  readonly answered: Set<JsonValue>;
  readonly itemIds: Set<JsonValue>;
  /** The calls without an output. */
  readonly open: Set<string>;
  /** Where the item before was reasoning, which has to lead to something. */
  reasoningAt: number | undefined;
  /** What is wrong only if the vendor stores nothing, which may be said after the items. */
  readonly unlessStored: Finding[];
}

type Finding = readonly [place: string, problem: string];

export const openaiResponses: Grammar = { list: "input", mayBeText: true, begin };

function begin(): BodyCheck {
  const sofar: Sofar = {
    calls: new Set(),
    answered: new Set(),
    itemIds: new Set(),
    open: new Set(),
    reasoningAt: undefined,
    unlessStored: [],
  };
  return {
    step: (item, index, report) => {
      if (!isLedToByReasoning(item)) reportLooseReasoning(sofar, report);
      sofar.reasoningAt = item["type"] === "reasoning" ? index : undefined;
      checkItem(item, sofar, index, report);
    },
    end: (body, _model, report) => {
      reportLooseReasoning(sofar, report);
      for (const id of sofar.open) report.here("input", `has no output for the call ${id}`);
      if (body["store"] === false) for (const finding of sofar.unlessStored) report.there(...finding);
      checkModel(body, report);
      checkResponsesTools(body, report);
    },
  };
}

function isLedToByReasoning({ type, role }: JsonObject): boolean {
  return type === "function_call" || type === "reasoning" || role === "assistant";
}

function reportLooseReasoning({ reasoningAt }: Sofar, report: BodyReport): void {
  if (reasoningAt !== undefined)
    report.there(`input[${reasoningAt}]`, "must be followed by the item it led to");
}

function checkItem(item: JsonObject, sofar: Sofar, index: number, report: BodyReport): void {
  checkItemId(item, sofar, report);
  switch (item["type"] ?? "message") {
    case "message":
      checkMessage(item, report);
      break;
    case "function_call":
      checkCall(item, sofar, report);
      break;
    case "function_call_output":
      checkOutput(item, sofar, report);
      break;
    case "reasoning":
      checkReasoning(item, sofar, index, report);
      break;
    case "item_reference":
      sofar.unlessStored.push([`input[${index}]`, "refers to an item, and nothing is stored"]);
      break;
    default:
      report.here(".type", `must not be ${JSON.stringify(item["type"])}`);
  }
}

const ID_BEGINNINGS: ReadonlyMap<unknown, string> = new Map([
  ["message", "msg"],
  ["function_call", "fc"],
  ["reasoning", "rs"],
]);

function checkItemId(item: JsonObject, { itemIds }: Sofar, report: BodyReport): void {
  const { id } = item;
  if (id === undefined || id === null) return;
  if (typeof id !== "string" || !ITEM_ID.test(id)) {
    report.here(".id", `must be like ${ITEM_ID}`);
    return;
  }
  const beginning = ID_BEGINNINGS.get(item["type"] ?? "message");
  if (beginning !== undefined && !id.startsWith(beginning))
    report.here(".id", `must begin with ${beginning}`);
  if (itemIds.has(id)) report.here(".id", `is used twice: ${id}`);
  itemIds.add(id);
}

function checkMessage({ role, content }: JsonObject, report: BodyReport): void {
  const types = CONTENT_TYPES.get(role);
  if (types === undefined) report.here(".role", `must not be ${JSON.stringify(role)}`);
  else if (typeof content !== "string") checkContent(content, types, ".content", report);
}

const INPUT_TYPES = ["input_text", "input_image", "input_file"];
const CONTENT_TYPES: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["user", INPUT_TYPES],
  ["system", INPUT_TYPES],
  ["developer", INPUT_TYPES],
  ["assistant", ["output_text", "refusal"]],
]);

function checkContent(
  content: JsonValue | undefined,
  types: readonly string[],
  place: string,
  report: BodyReport,
): void {
  if (!Array.isArray(content)) {
    report.here(place, "must be text or a list");
    return;
  }
  eachObject(content, place, report, (part) => {
    const { type } = part;
    if (typeof type !== "string" || !types.includes(type))
      report.here(".type", `must be one of ${types.join(", ")}`);
    else if (type === "input_image") {
      if (part["file_id"] === undefined) checkImageUrl(part["image_url"], IMAGE_TYPES, ".image_url", report);
    } else if (type !== "input_file" && typeof part[type === "refusal" ? "refusal" : "text"] !== "string")
      report.here("", "must have a text");
  });
}

function checkCall(item: JsonObject, { calls, answered, open }: Sofar, report: BodyReport): void {
  const { name } = item;
  if (typeof name !== "string" || !TOOL_NAME.test(name)) report.here(".name", `must be like ${TOOL_NAME}`);
  if (typeof item["arguments"] !== "string") report.here(".arguments", "must be text");
  const id = callId(item, report);
  if (id === undefined) return;
  if (calls.has(id)) report.here(".call_id", `is used twice: ${id}`);
  calls.add(id);
  if (!answered.has(id)) open.add(id);
}

function checkOutput(item: JsonObject, { calls, answered, open }: Sofar, report: BodyReport): void {
  const { output } = item;
  if (typeof output !== "string") checkContent(output, INPUT_TYPES, ".output", report);
  const id = callId(item, report);
  if (id === undefined) return;
  if (!calls.has(id)) report.here(".call_id", `has no call before it: ${id}`);
  if (answered.has(id)) report.here(".call_id", `is answered twice: ${id}`);
  answered.add(id);
  open.delete(id);
}

function callId(item: JsonObject, report: BodyReport): string | undefined {
  const id = item["call_id"];
  if (!isFilled(id)) {
    report.here(".call_id", "must not be empty");
    return undefined;
  }
  if (id.length > LONGEST_ID) report.here(".call_id", `must be at most ${LONGEST_ID} characters long`);
  return id;
}

function checkReasoning(item: JsonObject, { unlessStored }: Sofar, index: number, report: BodyReport): void {
  eachObject(item["summary"], ".summary", report, (part) => {
    if (part["type"] !== "summary_text" || typeof part["text"] !== "string")
      report.here("", "must be a summary text");
  });
  if (!isFilled(item["encrypted_content"]))
    unlessStored.push([`input[${index}].encrypted_content`, "must be there where nothing is stored"]);
}

function checkResponsesTools(body: JsonObject, report: BodyReport): void {
  if (body["tools"] === undefined) return;
  const known = { names: new Set<string>(), pattern: TOOL_NAME };
  eachObject(body["tools"], "tools", report, (tool) => {
    if (tool["type"] !== "function") report.here(".type", "must be function");
    checkTool(tool["name"], tool["parameters"], known, report);
  });
}
