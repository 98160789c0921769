// The grammar of the Messages API: the first message is a user's; every tool use is answered in the very next
// message, results before any other word; no block is empty; thinking is signed and never stands last.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { checkBlock, isThinking } from "./anthropic-block.ts";
import { addBlock, endTurn, nextTurn, placeOf, type Turn } from "./anthropic-turn.ts";
import { type BodyCheck, checkModel, checkTool, eachObject, type Grammar, isWords } from "./check.ts";
import type { BodyReport } from "./report.ts";

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MOST_CACHE_MARKS = 4;
const LEAST_BUDGET = 1024;

/** What the messages so far leave behind. */
interface Sofar {
  readonly used: Set<JsonValue>;
  /** The turn being read, and the one before it. */
  turn: Turn | undefined;
  before: Turn | undefined;
  /** What is wrong with the message before unless it is the last: only there a response may be empty. */
  unlessLast: string | undefined;
  hasToolBlocks: boolean;
  cacheMarks: number;
}

export const anthropic: Grammar = { list: "messages", begin };

function begin(): BodyCheck {
  const sofar: Sofar = {
    used: new Set(),
    turn: undefined,
    before: undefined,
    unlessLast: undefined,
    hasToolBlocks: false,
    cacheMarks: 0,
  };
  return {
    step: (message, index, report) => checkMessage(message, index, sofar, report),
    end: (body, _model, report) => {
      checkEnd(sofar, isThinkingEnabled(body), report);
      checkModel(body, report);
      if (!isPositive(body["max_tokens"])) report.here("max_tokens", "must be a number over 0");
      checkSystem(body["system"], report);
      if (isThinkingEnabled(body)) checkThinkingBudget(body, report);
      checkAnthropicTools(body, sofar, report);
      checkCacheMarks(body, sofar, report);
    },
  };
}

function checkMessage(message: JsonObject, index: number, sofar: Sofar, report: BodyReport): void {
  const { role } = message;
  if (role !== "user" && role !== "assistant") report.here(".role", `must not be ${JSON.stringify(role)}`);
  else if (index === 0 && role !== "user") report.here(".role", "must be user");
  if (sofar.unlessLast !== undefined) report.there(`messages[${index - 1}].content`, sofar.unlessLast);
  sofar.unlessLast = undefined;
  let { turn } = sofar;
  if (turn === undefined || turn.role !== role) {
    if (turn !== undefined) endTurn(turn, report);
    turn = nextTurn(role, index, turn, sofar.before);
    sofar.before = sofar.turn;
    sofar.turn = turn;
  }
  checkContent(message, turn, index, sofar, report);
}

function checkContent(
  { role, content }: JsonObject,
  turn: Turn,
  message: number,
  sofar: Sofar,
  report: BodyReport,
): void {
  if (content === "" && role === "assistant") sofar.unlessLast = "must hold words";
  else if (typeof content === "string") {
    if (!isWords(content)) report.here(".content", "must hold words");
    addBlock(turn, { block: { type: "text", text: content }, message }, sofar.used, report);
  } else {
    const blocks = eachObject(content, ".content", report, (block, index) => {
      checkBlock(block, role, report);
      addBlock(turn, { block, message, index }, sofar.used, report);
      if (block["type"] === "tool_use" || block["type"] === "tool_result") sofar.hasToolBlocks = true;
      if (isMarked(block)) sofar.cacheMarks++;
    });
    if (blocks > 0) return;
    if (role === "assistant") sofar.unlessLast = "must not be empty";
    else report.here(".content", "must not be empty");
  }
}

function checkEnd(sofar: Sofar, isThinkingOn: boolean, report: BodyReport): void {
  const { turn } = sofar;
  if (turn === undefined) return;
  endTurn(turn, report);
  if (turn.calls !== undefined)
    report.here("messages", `end before an answer to ${[...turn.calls.keys()].join(", ")}`);
  const first = isThinkingOn ? loopBegin(turn, sofar.before)?.first : undefined;
  if (first !== undefined && !isThinking(first.block))
    report.there(
      placeOf(first),
      "must be thinking: it is switched on, and calls of this turn are being answered",
    );
  if (turn.role === "assistant") checkPrefill(turn, report);
}

/** Where the response that is still being made begins: at its first message since a person's own words. */
function loopBegin(last: Turn, before: Turn | undefined): Turn | undefined {
  if (last.role !== "user") return last.loopBegin ?? last;
  return last.hasResults ? (before?.loopBegin ?? before) : undefined;
}

function checkPrefill({ last }: Turn, report: BodyReport): void {
  const text = last?.block["text"];
  if (last !== undefined && typeof text === "string" && text !== text.trimEnd())
    report.there(placeOf(last), "must not end with white space where the model is to go on from it");
}

function checkSystem(system: JsonValue | undefined, report: BodyReport): void {
  if (system === undefined || typeof system === "string") return;
  eachObject(system, "system", report, (block) => {
    if (block["type"] !== "text" || !isWords(block["text"])) report.here("", "must be a text with words");
  });
}

function isThinkingEnabled({ thinking }: JsonObject): boolean {
  return isJsonObject(thinking) && thinking["type"] === "enabled";
}

function checkThinkingBudget(body: JsonObject, report: BodyReport): void {
  const budget = isJsonObject(body["thinking"]) ? body["thinking"]["budget_tokens"] : undefined;
  if (typeof budget !== "number" || budget < LEAST_BUDGET)
    report.here("thinking.budget_tokens", `must be at least ${LEAST_BUDGET}`);
  else if (budget >= Number(body["max_tokens"]))
    report.here("thinking.budget_tokens", "must be less than max_tokens");
}

function checkAnthropicTools(body: JsonObject, { hasToolBlocks }: Sofar, report: BodyReport): void {
  if (body["tools"] === undefined) {
    if (hasToolBlocks) report.here("tools", "must be there where the conversation has calls");
    if (body["tool_choice"] !== undefined) report.here("tool_choice", "must not be there without tools");
    return;
  }
  const known = { names: new Set<string>(), pattern: TOOL_NAME };
  eachObject(body["tools"], "tools", report, (tool) =>
    checkTool(tool["name"], tool["input_schema"] ?? null, known, report),
  );
}

function checkCacheMarks({ system, tools }: JsonObject, { cacheMarks }: Sofar, report: BodyReport): void {
  if (cacheMarks + marksIn(system) + marksIn(tools) > MOST_CACHE_MARKS)
    report.here("cache_control", `must not be set more than ${MOST_CACHE_MARKS} times`);
}

function marksIn(list: JsonValue | undefined): number {
  return Array.isArray(list) ? list.filter(isMarked).length : 0;
}

function isMarked(block: JsonValue): boolean {
  return isJsonObject(block) && isJsonObject(block["cache_control"]);
}

function isPositive(value: JsonValue | undefined): boolean {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}
