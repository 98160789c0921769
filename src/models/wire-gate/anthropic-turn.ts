// A turn of the Messages API: neighbouring messages of one role, which the vendor joins. The calls of a turn are
// answered in the very next one, results come before anything else, and thinking never stands last.
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { isThinking } from "./anthropic-block.ts";
import type { BodyReport } from "./report.ts";

export interface Turn {
  readonly role: JsonValue | undefined;
  /** The index of its first message. */
  readonly at: number;
  /** Calls of the turn before, each with whether it was answered here. */
  readonly open: Calls;
  /** Calls made here. */
  readonly calls: Calls;
  readonly blocks: PlacedBlock[];
  hasResults: boolean;
  /** Has said something that is no result, so that no result may follow. */
  hasOther: boolean;
}

type Calls = Map<JsonValue, boolean>;

interface PlacedBlock {
  readonly block: JsonObject;
  readonly message: number;
  /** Absent if the content of the message is a plain text. */
  readonly index?: number;
}

export function placeOf({ message, index }: PlacedBlock): string {
  return `messages[${message}].content${index === undefined ? "" : `[${index}]`}`;
}

export function newTurn(role: JsonValue | undefined, at: number, before: Turn | undefined): Turn {
  const open: Calls = before?.calls ?? new Map();
  return { role, at, open, calls: new Map(), blocks: [], hasResults: false, hasOther: false };
}

/** used: the ids of all calls of the conversation. */
export function addBlock(turn: Turn, placed: PlacedBlock, used: Set<JsonValue>, report: BodyReport): void {
  const { type, id, tool_use_id: answered } = placed.block;
  turn.blocks.push(placed);
  if (type === "tool_result" && turn.role === "user") {
    turn.hasResults = true;
    if (answered === undefined) turn.hasOther = true;
    else addResult(turn, answered, report);
    return;
  }
  turn.hasOther = true;
  if (type !== "tool_use" || id === undefined) return;
  if (used.has(id)) report.here(".id", `is used twice: ${JSON.stringify(id)}`);
  used.add(id);
  turn.calls.set(id, false);
}

function addResult({ open, hasOther }: Turn, id: JsonValue, report: BodyReport): void {
  if (hasOther) report.here("", "must stand before everything that is no result");
  const wasAnswered = open.get(id);
  if (wasAnswered === undefined)
    report.here("", `answers no call of the message before: ${JSON.stringify(id)}`);
  else if (wasAnswered) report.here("", `answers ${JSON.stringify(id)} a second time`);
  else open.set(id, true);
}

/** What only shows when the turn is complete. */
export function checkTurn({ role, at, open, blocks }: Turn, report: BodyReport): void {
  for (const [id, answered] of open)
    if (!answered) report.there(`messages[${at}]`, `must answer the call ${JSON.stringify(id)}`);
  const last = blocks.at(-1);
  if (role === "assistant" && last !== undefined && isThinking(last.block))
    report.there(placeOf(last), "must not be the last block of its message");
}
