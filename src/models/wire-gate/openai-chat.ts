// The grammar of Chat Completions: every tool call is answered by a tool message of its id, right after the
// message that made it, before anything else; content is there; ids and names have their form.
import { isJsonObject, type JsonObject } from "../../base/json.ts";
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
const LONGEST_ID = 40;
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];

export const checkOpenaiChat: Check = (body, report) => {
  checkModel(body, report);
  const messages = objectsOf(body["messages"], "messages", report);
  if (messages.length === 0) report("messages", "must not be empty");
  /** The calls still without an answer; null outside the messages that answer a response. */
  let open: Set<string> | null = null;
  messages.forEach((message, index) => {
    const place = `messages[${index}]`;
    checkFields(message, place, report);
    if (message["role"] === "tool") {
      checkToolMessage(message, open, place, report);
      return;
    }
    reportUnanswered(open, place, report);
    open = null;
    switch (message["role"]) {
      case "assistant":
        open = checkAssistant(message, place, report);
        break;
      case "system":
      case "developer":
        checkContent(message["content"], ["text"], place, report);
        break;
      case "user":
        checkContent(message["content"], ["text", "image_url", "input_audio", "file"], place, report);
        break;
      default:
        report(`${place}.role`, `must not be ${JSON.stringify(message["role"])}`);
    }
  });
  reportUnanswered(open, "messages", report);
  checkChatTools(body, report);
};

/** A name has its form; what only a response has stands in a response. */
function checkFields(message: JsonObject, place: string, report: Report): void {
  const { name, role } = message;
  if (name !== undefined && (typeof name !== "string" || !/^[^\s<|\\/>]+$/.test(name)))
    report(`${place}.name`, "must have no blanks, angle brackets, bars or slashes");
  for (const field of ["reasoning_content", "tool_calls"])
    if (message[field] !== undefined && role !== "assistant")
      report(`${place}.${field}`, "must be a response's");
}

function checkToolMessage(
  message: JsonObject,
  open: Set<string> | null,
  place: string,
  report: Report,
): void {
  const id = message["tool_call_id"];
  if (open === null) report(place, "answers no call: the message before it made none");
  else if (typeof id !== "string" || !open.delete(id))
    report(`${place}.tool_call_id`, `is no open call of the response before it: ${JSON.stringify(id)}`);
  checkContent(message["content"], ["text"], place, report);
}

function reportUnanswered(open: ReadonlySet<string> | null, place: string, report: Report): void {
  if (open !== null && open.size > 0) report(place, `comes before an answer to ${[...open].join(", ")}`);
}

/** The ids of the calls it makes. */
function checkAssistant(message: JsonObject, place: string, report: Report): Set<string> | null {
  const { content } = message;
  const calls = message["tool_calls"];
  if (content !== null && content !== undefined) checkContent(content, ["text", "refusal"], place, report);
  else if (calls === undefined && !isFilled(message["refusal"]))
    report(`${place}.content`, "must not be missing where there are no tool calls");
  if (calls === undefined) return null;
  const found = objectsOf(calls, `${place}.tool_calls`, report);
  if (found.length === 0) report(`${place}.tool_calls`, "must not be empty");
  const ids = new Set<string>();
  found.forEach((call, index) => {
    const id = checkCall(call, `${place}.tool_calls[${index}]`, report);
    if (id === undefined) return;
    if (ids.has(id)) report(`${place}.tool_calls[${index}].id`, `is used twice: ${id}`);
    ids.add(id);
  });
  return ids;
}

function checkCall(call: JsonObject, place: string, report: Report): string | undefined {
  const called = call["function"];
  if (call["type"] !== "function") report(`${place}.type`, "must be function");
  if (!isJsonObject(called)) report(`${place}.function`, "must be an object");
  else {
    if (typeof called["name"] !== "string" || !TOOL_NAME.test(called["name"]))
      report(`${place}.function.name`, `must be like ${TOOL_NAME}`);
    if (typeof called["arguments"] !== "string") report(`${place}.function.arguments`, "must be text");
  }
  const { id } = call;
  if (isFilled(id) && id.length <= LONGEST_ID) return id;
  report(`${place}.id`, `must be 1 to ${LONGEST_ID} characters long`);
  return isFilled(id) ? id : undefined;
}

function checkContent(content: unknown, types: readonly string[], place: string, report: Report): void {
  const at = `${place}.content`;
  if (typeof content === "string") return;
  if (!Array.isArray(content)) {
    report(at, "must be text or a list");
    return;
  }
  const parts = objectsOf(content, at, report);
  if (parts.length === 0) report(at, "must not be empty");
  parts.forEach((part, index) => {
    checkPart(part, types, `${at}[${index}]`, report);
  });
}

function checkPart(part: JsonObject, types: readonly string[], place: string, report: Report): void {
  const { type, text } = part;
  if (typeof type !== "string" || !types.includes(type)) {
    report(`${place}.type`, `must be one of ${types.join(", ")}`);
    return;
  }
  if (type === "text" && typeof text !== "string") report(`${place}.text`, "must be text");
  if (type === "image_url") {
    const image = part["image_url"];
    checkImageUrl(isJsonObject(image) ? image["url"] : undefined, IMAGE_TYPES, `${place}.image_url`, report);
  }
}

function checkChatTools(body: JsonObject, report: Report): void {
  if (body["tools"] === undefined) return;
  const tools = objectsOf(body["tools"], "tools", report);
  if (tools.length === 0) report("tools", "must not be empty");
  const named = tools.map((tool, index) => {
    const place = `tools[${index}]`;
    if (tool["type"] !== "function") report(`${place}.type`, "must be function");
    const declared = isJsonObject(tool["function"]) ? tool["function"] : {};
    return { place, name: declared["name"], schema: declared["parameters"] };
  });
  checkTools(named, TOOL_NAME, report);
}
