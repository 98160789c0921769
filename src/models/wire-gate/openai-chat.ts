// The grammar of Chat Completions: every tool call is answered by a tool message with its id, right after the
// message that made it and before anything else; content is present; ids and names have their form.
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import {
  checkFields,
  checkImageUrl,
  checkModel,
  eachOfSome,
  FUNCTION,
  fields,
  isFilled,
  like,
  OBJECT,
  optional,
  TEXT,
  toolCheck,
} from "./check.ts";
import type { BodyReport } from "./report.ts";

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MESSAGE = fields({ name: optional(like(/^[^\s<|\\/>]+$/)) });
const CALL = fields({ type: FUNCTION, function: OBJECT, id: like(/^.{1,40}$/s) });
const TOOL = fields({ type: FUNCTION });
const TEXT_PART = fields({ text: TEXT });
const CALLED = fields({ name: like(TOOL_NAME), arguments: TEXT });
const ONLY_IN_RESPONSES = ["reasoning_content", "tool_calls"];

const PARTS: ReadonlyMap<unknown, readonly unknown[]> = new Map([
  ["system", ["text"]],
  ["developer", ["text"]],
  ["tool", ["text"]],
  ["user", ["text", "image_url", "input_audio", "file"]],
  ["assistant", ["text", "refusal"]],
]);

/** The calls still without an answer; null outside the messages that answer a response. */
type Open = Set<string> | null;

export function checkChatBody(body: JsonObject, report: BodyReport): void {
  let open: Open = null;
  eachOfSome(body["messages"], "messages", report, (message) => {
    open = checkMessage(message, open, report);
  });
  reportUnanswered(open, "messages", report);
  checkModel(body, report);
  if (body["tools"] === undefined) return;
  const checkTool = toolCheck(TOOL_NAME, report);
  eachOfSome(body["tools"], "tools", report, (tool) => {
    checkFields(tool, TOOL, report);
    const declared = isJsonObject(tool["function"]) ? tool["function"] : {};
    checkTool(declared["name"], declared["parameters"]);
  });
}

/** Returns the calls that are open after the message. */
function checkMessage(message: JsonObject, open: Open, report: BodyReport): Open {
  const { role } = message;
  checkFields(message, MESSAGE, report);
  if (role !== "tool") reportUnanswered(open, "", report);
  if (role === "assistant") return checkAssistant(message, report);
  for (const name of ONLY_IN_RESPONSES)
    if (message[name] !== undefined) report.here(`.${name}`, "must be a response's");
  if (PARTS.has(role)) checkContent(message, report);
  else report.here(".role", `must not be ${JSON.stringify(role)}`);
  if (role !== "tool") return null;
  const id = message["tool_call_id"];
  if (open === null) report.here("", "answers no call: the message before it made none");
  else if (typeof id !== "string" || !open.delete(id))
    report.here(".tool_call_id", `is no open call of the response before it: ${JSON.stringify(id)}`);
  return open;
}

function reportUnanswered(open: Open, place: string, report: BodyReport): void {
  if (open !== null && open.size > 0) report.here(place, `comes before an answer to ${[...open].join(", ")}`);
}

/** Returns the ids of the calls it makes. */
function checkAssistant(message: JsonObject, report: BodyReport): Open {
  const { content, tool_calls: calls } = message;
  if (content !== null && content !== undefined) checkContent(message, report);
  else if (calls === undefined && !isFilled(message["refusal"]))
    report.here(".content", "must not be missing where there are no tool calls");
  if (calls === undefined) return null;
  const ids = new Set<string>();
  eachOfSome(calls, ".tool_calls", report, (call) => {
    const { id, function: called } = call;
    checkFields(call, CALL, report);
    if (isJsonObject(called)) checkFields(called, CALLED, report, ".function");
    if (!isFilled(id)) return;
    if (ids.has(id)) report.here(".id", `is used twice: ${id}`);
    ids.add(id);
  });
  return ids;
}

function checkContent({ role, content }: JsonObject, report: BodyReport): void {
  const types = PARTS.get(role) ?? [];
  if (typeof content !== "string")
    eachOfSome(content, ".content", report, (part) => checkPart(part, types, report));
}

function checkPart(part: JsonObject, types: readonly unknown[], report: BodyReport): void {
  const { type, image_url: image } = part;
  if (!types.includes(type)) report.here(".type", `must be one of ${types.join(", ")}`);
  else if (type === "text") checkFields(part, TEXT_PART, report);
  else if (type === "image_url") checkImageUrl(isJsonObject(image) ? image["url"] : undefined, report);
}
