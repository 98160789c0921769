// The grammar of the Responses API, used without its store: every function call has exactly one output after it, no
// output is without its call, and reasoning is complete and leads to something.
import type { JsonObject, JsonValue } from "../../base/json.ts";
import {
  checkFields,
  checkImageUrl,
  checkModel,
  eachObject,
  eachOfSome,
  FILLED,
  FUNCTION,
  fields,
  isFilled,
  like,
  oneOf,
  TEXT,
  toolCheck,
} from "./check.ts";
import type { BodyReport } from "./report.ts";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const OUTPUT = fields({ call_id: like(/^.{1,64}$/s) });
const CALL = [...fields({ name: like(NAME), arguments: TEXT }), ...OUTPUT];
const SUMMARY = fields({ type: oneOf("summary_text"), text: TEXT });
const ENCRYPTED = fields({ encrypted_content: FILLED });
const ITEM_ID = fields({ id: like(NAME) });
const TEXT_PART = fields({ text: TEXT });
const REFUSAL = fields({ refusal: TEXT });
const TOOL = fields({ type: FUNCTION });

/** What the items before one leave behind. */
interface Seen {
  readonly calls: Set<JsonValue>;
  readonly answered: Set<JsonValue>;
  readonly itemIds: Set<JsonValue>;
  /** The vendor stores what was sent before, so that items may refer to it. */
  readonly isStored: boolean;
}

export function checkResponsesBody(body: JsonObject, report: BodyReport): void {
  const { input, tools } = body;
  const seen: Seen = {
    calls: new Set(),
    answered: new Set(),
    itemIds: new Set(),
    isStored: body["store"] !== false,
  };
  if (input === "") report.here("input", "must not be empty");
  else if (typeof input !== "string") checkItems(input, seen, report);
  for (const id of seen.calls)
    if (!seen.answered.has(id)) report.here("input", `has no output for the call ${id}`);
  checkModel(body, report);
  if (tools === undefined) return;
  const checkTool = toolCheck(NAME, report);
  eachObject(tools, "tools", report, (tool) => {
    checkFields(tool, TOOL, report);
    checkTool(tool["name"], tool["parameters"]);
  });
}

/** Reasoning has to be followed by the item it led to. */
function checkItems(input: JsonValue | undefined, seen: Seen, report: BodyReport): void {
  let reasoningAt: number | undefined;
  const reportLooseReasoning = () => {
    if (reasoningAt !== undefined)
      report.there(`input[${reasoningAt}]`, "must be followed by the item it led to");
  };
  eachOfSome(input, "input", report, (item, index) => {
    const { type, role } = item;
    if (type !== "function_call" && type !== "reasoning" && role !== "assistant") reportLooseReasoning();
    reasoningAt = type === "reasoning" ? index : undefined;
    checkItem(item, seen, report);
  });
  reportLooseReasoning();
}

function checkItem(item: JsonObject, seen: Seen, report: BodyReport): void {
  checkItemId(item, seen, report);
  switch (item["type"] ?? "message") {
    case "message":
      checkMessage(item, report);
      break;
    case "function_call":
      checkCall(item, seen, report);
      break;
    case "function_call_output":
      checkOutput(item, seen, report);
      break;
    case "reasoning":
      eachObject(item["summary"], ".summary", report, (part) => checkFields(part, SUMMARY, report));
      if (!seen.isStored) checkFields(item, ENCRYPTED, report);
      break;
    case "item_reference":
      if (!seen.isStored) report.here("", "refers to an item, and nothing is stored");
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

function checkItemId(item: JsonObject, { itemIds }: Seen, report: BodyReport): void {
  const { id } = item;
  if (id === undefined || id === null) return;
  checkFields(item, ITEM_ID, report);
  const beginning = ID_BEGINNINGS.get(item["type"] ?? "message") ?? "";
  if (!String(id).startsWith(beginning)) report.here(".id", `must begin with ${beginning}`);
  if (itemIds.has(id)) report.here(".id", `is used twice: ${id}`);
  itemIds.add(id);
}

const INPUT_TYPES = ["input_text", "input_image", "input_file"];
const CONTENT_TYPES: ReadonlyMap<unknown, readonly unknown[]> = new Map([
  ["user", INPUT_TYPES],
  ["system", INPUT_TYPES],
  ["developer", INPUT_TYPES],
  ["assistant", ["output_text", "refusal"]],
]);

function checkMessage({ role, content }: JsonObject, report: BodyReport): void {
  const types = CONTENT_TYPES.get(role);
  if (types === undefined) report.here(".role", `must not be ${JSON.stringify(role)}`);
  else checkContent(content, types, ".content", report);
}

function checkContent(
  content: JsonValue | undefined,
  types: readonly unknown[],
  place: string,
  report: BodyReport,
): void {
  if (typeof content === "string") return;
  eachObject(content, place, report, (part) => {
    const { type } = part;
    if (!types.includes(type)) report.here(".type", `must be one of ${types.join(", ")}`);
    else if (type === "refusal") checkFields(part, REFUSAL, report);
    else if (type !== "input_image" && type !== "input_file") checkFields(part, TEXT_PART, report);
    else if (type === "input_image" && part["file_id"] === undefined)
      checkImageUrl(part["image_url"], report);
  });
}

function checkCall(item: JsonObject, { calls }: Seen, report: BodyReport): void {
  checkFields(item, CALL, report);
  const id = item["call_id"];
  if (!isFilled(id)) return;
  if (calls.has(id)) report.here(".call_id", `is used twice: ${id}`);
  calls.add(id);
}

function checkOutput(item: JsonObject, { calls, answered }: Seen, report: BodyReport): void {
  checkContent(item["output"], INPUT_TYPES, ".output", report);
  checkFields(item, OUTPUT, report);
  const id = item["call_id"];
  if (!isFilled(id)) return;
  if (!calls.has(id)) report.here(".call_id", `has no call before it: ${id}`);
  if (answered.has(id)) report.here(".call_id", `is answered twice: ${id}`);
  answered.add(id);
}
