// The grammar of the Messages API: the first message is a user's; every tool use is answered in the very next
// message, results before anything else; no block is empty; thinking is signed and never stands last.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { checkBlock, isEmptyContent, isThinking } from "./anthropic-block.ts";
import { addBlock, checkTurn, newTurn, placeOf, type Turn } from "./anthropic-turn.ts";
import {
  checkFields,
  checkModel,
  eachObject,
  eachOfSome,
  fields,
  isWords,
  oneOf,
  toolCheck,
  WORDS,
} from "./check.ts";
import type { BodyReport } from "./report.ts";

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const FIRST_MESSAGE = fields({ role: oneOf("user") });
const MESSAGE = fields({ role: oneOf("user", "assistant") });
const SYSTEM_BLOCK = fields({ type: oneOf("text"), text: WORDS });
const MOST_CACHE_MARKS = 4;
const LEAST_BUDGET = 1024;

/** What the messages leave behind. */
interface Seen {
  readonly turns: Turn[];
  readonly callIds: Set<JsonValue>;
  hasToolBlocks: boolean;
  cacheMarks: number;
}

export function checkAnthropicBody(body: JsonObject, report: BodyReport): void {
  const { messages, system, tools, thinking, max_tokens: maxTokens } = body;
  const seen: Seen = { turns: [], callIds: new Set(), hasToolBlocks: false, cacheMarks: 0 };
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  eachOfSome(messages, "messages", report, (message, index) => {
    const { role, content } = message;
    checkFields(message, index === 0 ? FIRST_MESSAGE : MESSAGE, report);
    // Only the last response may be empty.
    if (!isEmptyContent(content)) checkContent(message, index, seen, report);
    else if (message !== last || role !== "assistant") report.here(".content", "must not be empty");
  });
  const isThinkingOn = isJsonObject(thinking) && thinking["type"] === "enabled";
  checkTurns(seen.turns, isThinkingOn, report);
  checkModel(body, report);
  if (!Number.isInteger(maxTokens) || Number(maxTokens) <= 0)
    report.here("max_tokens", "must be a number over 0");
  if (isThinkingOn) checkThinkingBudget(thinking["budget_tokens"], maxTokens, report);
  checkSystem(system, report);
  checkAnthropicTools(body, seen, report);
  if (seen.cacheMarks + marksIn(system) + marksIn(tools) > MOST_CACHE_MARKS)
    report.here("cache_control", `must not be set more than ${MOST_CACHE_MARKS} times`);
}

function checkContent({ role, content }: JsonObject, message: number, seen: Seen, report: BodyReport): void {
  const { turns, callIds } = seen;
  let turn = turns.at(-1);
  if (turn === undefined || turn.role !== role) {
    turn = newTurn(role, message, turn);
    turns.push(turn);
  }
  if (typeof content === "string") {
    if (!isWords(content)) report.here(".content", "must hold words");
    addBlock(turn, { block: { type: "text", text: content }, message }, callIds, report);
    return;
  }
  eachObject(content, ".content", report, (block, index) => {
    checkBlock(block, role, report);
    addBlock(turn, { block, message, index }, callIds, report);
    if (block["type"] === "tool_use" || block["type"] === "tool_result") seen.hasToolBlocks = true;
    if (isMarked(block)) seen.cacheMarks++;
  });
}

function checkTurns(turns: readonly Turn[], isThinkingOn: boolean, report: BodyReport): void {
  for (const turn of turns) checkTurn(turn, report);
  const last = turns.at(-1);
  if (last !== undefined && last.calls.size > 0)
    report.here("messages", `end before an answer to ${[...last.calls.keys()].join(", ")}`);
  const first = isThinkingOn ? runningResponse(turns)?.blocks[0] : undefined;
  if (first !== undefined && !isThinking(first.block))
    report.there(
      placeOf(first),
      "must be thinking: it is switched on, and calls of this turn are being answered",
    );
  const prefill = last?.role === "assistant" ? last.blocks.at(-1) : undefined;
  const text = prefill?.block["text"];
  if (prefill !== undefined && typeof text === "string" && text !== text.trimEnd())
    report.there(placeOf(prefill), "must not end with white space where the model is to go on from it");
}

/** The turn in which the response that is still being made began: the first one since a person's own words. */
function runningResponse(turns: readonly Turn[]): Turn | undefined {
  let at = turns.length - 1;
  if (turns[at]?.role === "user") {
    if (!turns[at]?.hasResults) return undefined;
    at--;
  }
  while (at >= 2 && turns[at - 1]?.hasResults) at -= 2;
  return turns[at];
}

function checkSystem(system: JsonValue | undefined, report: BodyReport): void {
  if (system === undefined || typeof system === "string") return;
  eachObject(system, "system", report, (block) => checkFields(block, SYSTEM_BLOCK, report));
}

function checkThinkingBudget(
  budget: JsonValue | undefined,
  maxTokens: JsonValue | undefined,
  report: BodyReport,
): void {
  if (typeof budget !== "number" || budget < LEAST_BUDGET)
    report.here("thinking.budget_tokens", `must be at least ${LEAST_BUDGET}`);
  else if (budget >= Number(maxTokens)) report.here("thinking.budget_tokens", "must be less than max_tokens");
}

function checkAnthropicTools(body: JsonObject, { hasToolBlocks }: Seen, report: BodyReport): void {
  if (body["tools"] === undefined) {
    if (hasToolBlocks) report.here("tools", "must be there where the conversation has calls");
    if (body["tool_choice"] !== undefined) report.here("tool_choice", "must not be there without tools");
    return;
  }
  const checkTool = toolCheck(TOOL_NAME, report);
  eachObject(body["tools"], "tools", report, (tool) => checkTool(tool["name"], tool["input_schema"] ?? null));
}

function marksIn(list: JsonValue | undefined): number {
  return Array.isArray(list) ? list.filter(isMarked).length : 0;
}

function isMarked(block: JsonValue): boolean {
  return isJsonObject(block) && isJsonObject(block["cache_control"]);
}
