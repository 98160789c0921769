// The grammar of Chat Completions: every tool call is answered by a tool message of its id, right after the
// message that made it, before anything else; content is there; ids and names have their form.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
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
const NAME = /^[^\s<|\\/>]+$/;
const LONGEST_ID = 40;
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const TEXT = ["text"];
const USER_PARTS = ["text", "image_url", "input_audio", "file"];
const ASSISTANT_PARTS = ["text", "refusal"];

/** The calls still without an answer; null outside the messages that answer a response. */
type Open = Set<string> | null;

export const openaiChat: Grammar = { list: "messages", begin };

function begin(): BodyCheck {
  let open: Open = null;
  return {
    step: (message, _index, report) => {
      open = checkMessage(message, open, report);
    },
    end: (body, _model, report) => {
      reportUnanswered(open, "messages", report);
      checkModel(body, report);
      checkChatTools(body, report);
    },
  };
}

/** The calls that are open after it. */
function checkMessage(message: JsonObject, open: Open, report: BodyReport): Open {
  const { role, content } = message;
  checkFields(message, report);
  if (role === "tool") {
    checkToolMessage(message, open, report);
    return open;
  }
  reportUnanswered(open, "", report);
  switch (role) {
    case "assistant":
      return checkAssistant(message, report);
    case "system":
    case "developer":
      checkContent(content, TEXT, report);
      return null;
    case "user":
      checkContent(content, USER_PARTS, report);
      return null;
    default:
      report.here(".role", `must not be ${JSON.stringify(role)}`);
      return null;
  }
}

/** A name has its form; what only a response has stands in a response. */
function checkFields(message: JsonObject, report: BodyReport): void {
  const { name, role } = message;
  if (name !== undefined && (typeof name !== "string" || !NAME.test(name)))
    report.here(".name", "must have no blanks, angle brackets, bars or slashes");
  if (role === "assistant") return;
  if (message["reasoning_content"] !== undefined) report.here(".reasoning_content", "must be a response's");
  if (message["tool_calls"] !== undefined) report.here(".tool_calls", "must be a response's");
}

function checkToolMessage(message: JsonObject, open: Open, report: BodyReport): void {
  const id = message["tool_call_id"];
  if (open === null) report.here("", "answers no call: the message before it made none");
  else if (typeof id !== "string" || !open.delete(id))
    report.here(".tool_call_id", `is no open call of the response before it: ${JSON.stringify(id)}`);
  checkContent(message["content"], TEXT, report);
}

function reportUnanswered(open: Open, place: string, report: BodyReport): void {
  if (open !== null && open.size > 0) report.here(place, `comes before an answer to ${[...open].join(", ")}`);
}

/** The ids of the calls it makes. */
function checkAssistant(message: JsonObject, report: BodyReport): Open {
  const { content } = message;
  const calls = message["tool_calls"];
  if (content !== null && content !== undefined) checkContent(content, ASSISTANT_PARTS, report);
  else if (calls === undefined && !isFilled(message["refusal"]))
    report.here(".content", "must not be missing where there are no tool calls");
  if (calls === undefined) return null;
  const ids = new Set<string>();
  const found = eachObject(calls, ".tool_calls", report, (call) => {
    const id = checkCall(call, report);
    if (id === undefined) return;
    if (ids.has(id)) report.here(".id", `is used twice: ${id}`);
    ids.add(id);
  });
  if (found === 0) report.here(".tool_calls", "must not be empty");
  return ids;
}

function checkCall(call: JsonObject, report: BodyReport): string | undefined {
  const called = call["function"];
  if (call["type"] !== "function") report.here(".type", "must be function");
  if (!isJsonObject(called)) report.here(".function", "must be an object");
  else {
    if (typeof called["name"] !== "string" || !TOOL_NAME.test(called["name"]))
      report.here(".function.name", `must be like ${TOOL_NAME}`);
    if (typeof called["arguments"] !== "string") report.here(".function.arguments", "must be text");
  }
  const { id } = call;
  if (isFilled(id) && id.length <= LONGEST_ID) return id;
  report.here(".id", `must be 1 to ${LONGEST_ID} characters long`);
  return isFilled(id) ? id : undefined;
}

function checkContent(content: JsonValue | undefined, types: readonly string[], report: BodyReport): void {
  if (typeof content === "string") return;
  if (!Array.isArray(content)) {
    report.here(".content", "must be text or a list");
    return;
  }
  const parts = eachObject(content, ".content", report, (part) => checkPart(part, types, report));
  if (parts === 0) report.here(".content", "must not be empty");
}

function checkPart(part: JsonObject, types: readonly string[], report: BodyReport): void {
  const { type, text } = part;
  if (typeof type !== "string" || !types.includes(type)) {
    report.here(".type", `must be one of ${types.join(", ")}`);
    return;
  }
  if (type === "text" && typeof text !== "string") report.here(".text", "must be text");
  if (type === "image_url") {
    const image = part["image_url"];
    checkImageUrl(isJsonObject(image) ? image["url"] : undefined, IMAGE_TYPES, ".image_url", report);
  }
}

function checkChatTools(body: JsonObject, report: BodyReport): void {
  if (body["tools"] === undefined) return;
  const known = { names: new Set<string>(), pattern: TOOL_NAME };
  const found = eachObject(body["tools"], "tools", report, (tool) => {
    if (tool["type"] !== "function") report.here(".type", "must be function");
    const declared = isJsonObject(tool["function"]) ? tool["function"] : {};
    checkTool(declared["name"], declared["parameters"], known, report);
  });
  if (found === 0) report.here("tools", "must not be empty");
}
