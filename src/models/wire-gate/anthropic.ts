// The grammar of the Messages API: the first message is a user's; every tool use is answered in the very next
// message, results before any other word; no block is empty; thinking is signed and never stands last.
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { isJsonObject } from "../../base/json.ts";
import { checkBlock, isThinking } from "./anthropic-block.ts";
import { type Check, checkModel, checkTools, isWords, objectsOf, type Report } from "./check.ts";

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MOST_CACHE_MARKS = 4;
const LEAST_BUDGET = 1024;

/** A turn: neighbouring messages of one role, which the vendor joins. */
interface Turn {
  readonly role: JsonValue | undefined;
  readonly place: string;
  readonly blocks: readonly Placed[];
}

interface Placed {
  readonly place: string;
  readonly block: JsonObject;
}

export const checkAnthropic: Check = (body, report) => {
  checkModel(body, report);
  if (!isPositive(body["max_tokens"])) report("max_tokens", "must be a number over 0");
  checkSystem(body["system"], report);
  checkThinkingBudget(body, report);
  const messages = objectsOf(body["messages"], "messages", report);
  if (messages.length === 0) report("messages", "must not be empty");
  const turns = readTurns(messages, report);
  if (turns.length > 0 && turns[0]?.role !== "user") report("messages[0].role", "must be user");
  checkPairs(turns, report);
  checkThinking(turns, body, report);
  const last = turns.at(-1);
  if (last?.role === "assistant") checkPrefill(last, report);
  checkAnthropicTools(body, turns, report);
  checkCacheMarks(body, turns, report);
};

function readTurns(messages: readonly JsonObject[], report: Report): Turn[] {
  const turns: { role: JsonValue | undefined; place: string; blocks: Placed[] }[] = [];
  messages.forEach((message, index) => {
    const place = `messages[${index}]`;
    const { role } = message;
    if (role !== "user" && role !== "assistant")
      report(`${place}.role`, `must not be ${JSON.stringify(role)}`);
    const isLast = index === messages.length - 1;
    const blocks = readBlocks(message, place, isLast, report);
    const turn = turns.at(-1);
    if (turn !== undefined && turn.role === role) turn.blocks.push(...blocks);
    else turns.push({ role, place, blocks });
  });
  return turns;
}

function readBlocks({ role, content }: JsonObject, place: string, isLast: boolean, report: Report): Placed[] {
  const at = `${place}.content`;
  const mayBeEmpty = isLast && role === "assistant";
  if (typeof content === "string") {
    if (content === "" && mayBeEmpty) return [];
    if (!isWords(content)) report(at, "must hold words");
    return [{ place: at, block: { type: "text", text: content } }];
  }
  const blocks = objectsOf(content, at, report);
  if (blocks.length === 0 && !mayBeEmpty) report(at, "must not be empty");
  return blocks.map((block, index) => {
    checkBlock(block, role, `${at}[${index}]`, report);
    return { place: `${at}[${index}]`, block };
  });
}

function checkPairs(turns: readonly Turn[], report: Report): void {
  const used = new Set<JsonValue>();
  let open = new Set<JsonValue>();
  for (const turn of turns) {
    const answered = new Set<JsonValue>();
    let other = false;
    for (const { place, block } of turn.blocks) {
      const id = block["tool_use_id"];
      if (turn.role !== "user" || block["type"] !== "tool_result" || id === undefined) {
        other = true;
        continue;
      }
      if (other) report(place, "must stand before everything that is no result");
      if (answered.has(id)) report(place, `answers ${JSON.stringify(id)} a second time`);
      else if (!open.has(id)) report(place, `answers no call of the message before: ${JSON.stringify(id)}`);
      answered.add(id);
    }
    for (const id of open)
      if (!answered.has(id)) report(turn.place, `must answer the call ${JSON.stringify(id)}`);
    open = new Set();
    for (const { place, block } of turn.blocks) {
      const { id } = block;
      if (block["type"] !== "tool_use" || id === undefined) continue;
      if (used.has(id)) report(`${place}.id`, `is used twice: ${JSON.stringify(id)}`);
      used.add(id);
      open.add(id);
    }
  }
  if (open.size > 0) report("messages", `end before an answer to ${[...open].join(", ")}`);
}

function checkThinking(turns: readonly Turn[], body: JsonObject, report: Report): void {
  for (const { role, blocks } of turns) {
    const last = blocks.at(-1);
    if (role === "assistant" && last !== undefined && isThinking(last.block))
      report(last.place, "must not be the last block of its message");
  }
  const thinking = body["thinking"];
  if (!isJsonObject(thinking) || thinking["type"] !== "enabled") return;
  const first = turns[firstOfToolLoop(turns)]?.blocks[0];
  if (first !== undefined && !isThinking(first.block))
    report(first.place, "must be thinking: it is switched on, and calls of this turn are being answered");
}

/** Where the response that is still being made begins: at its first message since a person's own words. */
function firstOfToolLoop(turns: readonly Turn[]): number {
  let index = turns.length - 1;
  if (turns[index]?.role === "user") {
    if (!hasResults(turns[index])) return -1;
    index--;
  }
  while (hasResults(turns[index - 1])) index -= 2;
  return index;
}

function hasResults(turn: Turn | undefined): boolean {
  return turn?.role === "user" && turn.blocks.some(({ block }) => block["type"] === "tool_result");
}

function checkPrefill({ blocks }: Turn, report: Report): void {
  const last = blocks.at(-1);
  const text = last?.block["text"];
  if (last !== undefined && typeof text === "string" && text !== text.trimEnd())
    report(last.place, "must not end with white space where the model is to go on from it");
}

function checkSystem(system: JsonValue | undefined, report: Report): void {
  if (system === undefined || typeof system === "string") return;
  objectsOf(system, "system", report).forEach((block, index) => {
    if (block["type"] !== "text" || !isWords(block["text"]))
      report(`system[${index}]`, "must be a text with words");
  });
}

function checkThinkingBudget(body: JsonObject, report: Report): void {
  const thinking = body["thinking"];
  if (!isJsonObject(thinking) || thinking["type"] !== "enabled") return;
  const budget = thinking["budget_tokens"];
  if (typeof budget !== "number" || budget < LEAST_BUDGET)
    report("thinking.budget_tokens", `must be at least ${LEAST_BUDGET}`);
  else if (budget >= Number(body["max_tokens"]))
    report("thinking.budget_tokens", "must be less than max_tokens");
}

function checkAnthropicTools(body: JsonObject, turns: readonly Turn[], report: Report): void {
  if (body["tools"] === undefined) {
    if (turns.some(({ blocks }) => blocks.some(({ block }) => isToolBlock(block))))
      report("tools", "must be there where the conversation has calls");
    if (body["tool_choice"] !== undefined) report("tool_choice", "must not be there without tools");
    return;
  }
  const named = objectsOf(body["tools"], "tools", report).map((tool, index) => {
    const schema = tool["input_schema"] ?? null;
    return { place: `tools[${index}]`, name: tool["name"], schema };
  });
  checkTools(named, TOOL_NAME, report);
}

function checkCacheMarks(body: JsonObject, turns: readonly Turn[], report: Report): void {
  const marked = [
    body["system"],
    body["tools"],
    turns.flatMap(({ blocks }) => blocks.map(({ block }) => block)),
  ]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter((block) => isJsonObject(block) && isJsonObject(block["cache_control"]));
  if (marked.length > MOST_CACHE_MARKS)
    report("cache_control", `must not be set more than ${MOST_CACHE_MARKS} times`);
}

function isToolBlock({ type }: JsonObject): boolean {
  return type === "tool_use" || type === "tool_result";
}

function isPositive(value: JsonValue | undefined): boolean {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}
