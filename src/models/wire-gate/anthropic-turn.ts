// A turn of the Messages API: neighbouring messages of one role, which the vendor joins. Calls of a turn are
// answered in the very next one, results before any other word, and thinking never stands last.
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { isThinking } from "./anthropic-block.ts";
import type { BodyReport } from "./report.ts";

export interface Turn {
  readonly role: JsonValue | undefined;
  /** The index of its first message. */
  readonly at: number;
  /** Calls of the turn before, each with whether it was answered here. */
  readonly open: Calls | undefined;
  /** The first turn of the response that is still being made, where that is another one: see nextTurn. */
  readonly loopBegin: Turn | undefined;
  /** Calls made here. */
  calls: Calls | undefined;
  first: PlacedBlock | undefined;
  last: PlacedBlock | undefined;
  hasResults: boolean;
  /** Has said something that is no result, so that no result may follow. */
  hasOther: boolean;
}

type Calls = Map<JsonValue, boolean>;

export interface PlacedBlock {
  readonly block: JsonObject;
  readonly message: number;
  /** Absent where the content of the message is a mere text. */
  readonly index?: number;
}

export function placeOf({ message, index }: PlacedBlock): string {
  return `messages[${message}].content${index === undefined ? "" : `[${index}]`}`;
}

/**
 * last, before: the turns that end here. A response goes on over the answers to its own calls, so it begins where
 * the model's turn before them began it.
 */
export function nextTurn(
  role: JsonValue | undefined,
  at: number,
  last: Turn | undefined,
  before: Turn | undefined,
): Turn {
  return {
    role,
    at,
    open: last?.calls,
    loopBegin: last?.hasResults ? (before?.loopBegin ?? before) : undefined,
    calls: undefined,
    first: undefined,
    last: undefined,
    hasResults: false,
    hasOther: false,
  };
}

/** used: the ids of all calls of the conversation. */
export function addBlock(turn: Turn, placed: PlacedBlock, used: Set<JsonValue>, report: BodyReport): void {
  const { block } = placed;
  turn.first ??= placed;
  turn.last = placed;
  if (block["type"] === "tool_result" && turn.role === "user") {
    turn.hasResults = true;
    const answered = block["tool_use_id"];
    if (answered === undefined) turn.hasOther = true;
    else addResult(turn, answered, report);
    return;
  }
  turn.hasOther = true;
  const { id } = block;
  if (block["type"] !== "tool_use" || id === undefined) return;
  if (used.has(id)) report.here(".id", `is used twice: ${JSON.stringify(id)}`);
  used.add(id);
  turn.calls ??= new Map();
  turn.calls.set(id, false);
}

function addResult({ open, hasOther }: Turn, id: JsonValue, report: BodyReport): void {
  if (hasOther) report.here("", "must stand before everything that is no result");
  const wasAnswered = open?.get(id);
  if (wasAnswered === undefined)
    report.here("", `answers no call of the message before: ${JSON.stringify(id)}`);
  else if (wasAnswered) report.here("", `answers ${JSON.stringify(id)} a second time`);
  else open?.set(id, true);
}

/** Nothing more comes in it. */
export function endTurn({ role, at, open, last }: Turn, report: BodyReport): void {
  if (open !== undefined)
    for (const [id, answered] of open)
      if (!answered) report.there(`messages[${at}]`, `must answer the call ${JSON.stringify(id)}`);
  if (role === "assistant" && last !== undefined && isThinking(last.block))
    report.there(placeOf(last), "must not be the last block of its message");
}
