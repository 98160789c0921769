// The grammar of the Responses API, used without its store: every function call has exactly one output after
// it, no output is without its call, and reasoning is whole and leads to something.
import type { JsonObject } from "../../base/json.ts";
import {
  type Check,
  checkImageUrl,
  checkModel,
  checkTools,
  isFilled,
  objectsOf,
  type Report,
} from "./check.ts";

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const LONGEST_ID = 64;
const ITEM_ID = /^[a-zA-Z0-9_-]{1,64}$/;
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/** What the items before one leave open. */
interface Sofar {
  readonly calls: Set<string>;
  readonly answered: Set<string>;
  readonly itemIds: Set<string>;
  readonly stored: boolean;
}

export const checkOpenaiResponses: Check = (body, report) => {
  checkModel(body, report);
  checkResponsesTools(body, report);
  const { input } = body;
  if (typeof input === "string") {
    if (input === "") report("input", "must not be empty");
    return;
  }
  const items = objectsOf(input, "input", report);
  if (items.length === 0) report("input", "must not be empty");
  const sofar: Sofar = {
    calls: new Set(),
    answered: new Set(),
    itemIds: new Set(),
    stored: body["store"] !== false,
  };
  items.forEach((item, index) => {
    checkItem(item, items[index + 1], sofar, `input[${index}]`, report);
  });
  for (const id of sofar.calls)
    if (!sofar.answered.has(id)) report("input", `has no output for the call ${id}`);
};

function checkItem(
  item: JsonObject,
  next: JsonObject | undefined,
  sofar: Sofar,
  place: string,
  report: Report,
): void {
  checkItemId(item, sofar, place, report);
  switch (item["type"] ?? "message") {
    case "message":
      checkMessage(item, place, report);
      break;
    case "function_call":
      checkCall(item, sofar, place, report);
      break;
    case "function_call_output":
      checkOutput(item, sofar, place, report);
      break;
    case "reasoning":
      checkReasoning(item, next, sofar, place, report);
      break;
    case "item_reference":
      if (!sofar.stored) report(place, "refers to an item, and nothing is stored");
      break;
    default:
      report(`${place}.type`, `must not be ${JSON.stringify(item["type"])}`);
  }
}

const ID_BEGINNINGS: Readonly<Record<string, string>> = {
  message: "msg",
  function_call: "fc",
  reasoning: "rs",
};

function checkItemId(item: JsonObject, { itemIds }: Sofar, place: string, report: Report): void {
  const { id } = item;
  if (id === undefined || id === null) return;
  if (typeof id !== "string" || !ITEM_ID.test(id)) {
    report(`${place}.id`, `must be like ${ITEM_ID}`);
    return;
  }
  const beginning = ID_BEGINNINGS[String(item["type"] ?? "message")];
  if (beginning !== undefined && !id.startsWith(beginning))
    report(`${place}.id`, `must begin with ${beginning}`);
  if (itemIds.has(id)) report(`${place}.id`, `is used twice: ${id}`);
  itemIds.add(id);
}

function checkMessage(item: JsonObject, place: string, report: Report): void {
  const { role, content } = item;
  const types = typeof role === "string" ? CONTENT_TYPES[role] : undefined;
  if (types === undefined) {
    report(`${place}.role`, `must not be ${JSON.stringify(role)}`);
    return;
  }
  if (typeof content !== "string") checkContent(content, types, `${place}.content`, report);
}

const INPUT_TYPES = ["input_text", "input_image", "input_file"];
const CONTENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  user: INPUT_TYPES,
  system: INPUT_TYPES,
  developer: INPUT_TYPES,
  assistant: ["output_text", "refusal"],
};

function checkContent(content: unknown, types: readonly string[], place: string, report: Report): void {
  if (!Array.isArray(content)) {
    report(place, "must be text or a list");
    return;
  }
  objectsOf(content, place, report).forEach((part, index) => {
    const at = `${place}[${index}]`;
    const { type } = part;
    if (typeof type !== "string" || !types.includes(type))
      report(`${at}.type`, `must be one of ${types.join(", ")}`);
    else if (type === "input_image") {
      if (part["file_id"] === undefined)
        checkImageUrl(part["image_url"], IMAGE_TYPES, `${at}.image_url`, report);
    } else if (type !== "input_file" && typeof part[type === "refusal" ? "refusal" : "text"] !== "string")
      report(at, "must have a text");
  });
}

function checkCall(item: JsonObject, { calls }: Sofar, place: string, report: Report): void {
  const { name } = item;
  if (typeof name !== "string" || !TOOL_NAME.test(name)) report(`${place}.name`, `must be like ${TOOL_NAME}`);
  if (typeof item["arguments"] !== "string") report(`${place}.arguments`, "must be text");
  const id = callId(item, place, report);
  if (id === undefined) return;
  if (calls.has(id)) report(`${place}.call_id`, `is used twice: ${id}`);
  calls.add(id);
}

function checkOutput(item: JsonObject, { calls, answered }: Sofar, place: string, report: Report): void {
  const { output } = item;
  if (typeof output !== "string") checkContent(output, INPUT_TYPES, `${place}.output`, report);
  const id = callId(item, place, report);
  if (id === undefined) return;
  if (!calls.has(id)) report(`${place}.call_id`, `has no call before it: ${id}`);
  if (answered.has(id)) report(`${place}.call_id`, `is answered twice: ${id}`);
  answered.add(id);
}

function callId(item: JsonObject, place: string, report: Report): string | undefined {
  const id = item["call_id"];
  if (!isFilled(id)) {
    report(`${place}.call_id`, "must not be empty");
    return undefined;
  }
  if (id.length > LONGEST_ID) report(`${place}.call_id`, `must be at most ${LONGEST_ID} characters long`);
  return id;
}

function checkReasoning(
  item: JsonObject,
  next: JsonObject | undefined,
  { stored }: Sofar,
  place: string,
  report: Report,
): void {
  objectsOf(item["summary"], `${place}.summary`, report).forEach((part, index) => {
    if (part["type"] !== "summary_text" || typeof part["text"] !== "string")
      report(`${place}.summary[${index}]`, "must be a summary text");
  });
  if (!stored && !isFilled(item["encrypted_content"]))
    report(`${place}.encrypted_content`, "must be there where nothing is stored");
  const leadsOn =
    next !== undefined &&
    (next["type"] === "function_call" || next["type"] === "reasoning" || next["role"] === "assistant");
  if (!leadsOn) report(place, "must be followed by the item it led to");
}

function checkResponsesTools(body: JsonObject, report: Report): void {
  if (body["tools"] === undefined) return;
  const named = objectsOf(body["tools"], "tools", report).map((tool, index) => {
    const place = `tools[${index}]`;
    if (tool["type"] !== "function") report(`${place}.type`, "must be function");
    return { place, name: tool["name"], schema: tool["parameters"] };
  });
  checkTools(named, TOOL_NAME, report);
}
