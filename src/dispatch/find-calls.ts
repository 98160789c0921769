// Finds the calls of a response, including those written as text, and makes them fit to run: names are trimmed, every id
// is present and unique, and arguments that are nearly right are read as meant. What it makes of them is what is shown,
// asked about and kept.
import { headAndTail } from "../base/head-and-tail.ts";
import type { JsonValue } from "../base/json.ts";
import { cutDepth } from "../base/json-depth.ts";
import { readArguments } from "../domain/call-args.ts";
import { newToolCallId, type ToolCallId } from "../domain/ids.ts";
import { callsOf, type Response, visibleText } from "../domain/message.ts";
import type { ResponsePart, ToolCallPart } from "../domain/part.ts";
import type { Tool } from "../domain/tool.ts";
import { asMeant } from "./check-arguments.ts";
import { parseTextCalls } from "./fallback-parser.ts";

export interface FoundCalls {
  /** The response as it joins the conversation. */
  readonly response: Response;
  readonly calls: readonly ToolCallPart[];
  /** Calls that must not run, and what the model is told instead. */
  readonly problems: ReadonlyMap<ToolCallId, string>;
  /** Tells the model why text that was clearly meant as a call can't be used. */
  readonly remark: string | null;
}

export function findCalls(
  response: Response,
  tools: ReadonlyMap<string, Tool>,
  isTaken: (toolCallId: ToolCallId) => boolean,
): FoundCalls {
  if (callsOf(response).length === 0) return findInText(response, tools);
  const problems = new Map<ToolCallId, string>();
  const seen = new Set<ToolCallId>();
  const parts = response.parts.map((part, index) => {
    if (part.kind !== "tool-call") return part;
    const { call, unreadable } = fitToRun(part, tools, (id) => seen.has(id) || isTaken(id));
    seen.add(call.toolCallId);
    const cutOff = response.finishReason === "length" && index === response.parts.length - 1;
    const problem = problemOf(call, unreadable, cutOff);
    if (problem !== null) problems.set(call.toolCallId, problem);
    return call;
  });
  const changed = parts.some((part, index) => part !== response.parts[index]);
  const fit = changed ? { ...response, parts } : response;
  return { response: fit, calls: callsOf(fit), problems, remark: null };
}

interface FitCall {
  readonly call: ToolCallPart;
  /** Why its arguments can't be read. */
  readonly unreadable: string | null;
}

/** A provider's stream isn't type-checked: ids, names and arguments may be missing or of another type. */
function fitToRun(
  call: ToolCallPart,
  tools: ReadonlyMap<string, Tool>,
  isTaken: (toolCallId: ToolCallId) => boolean,
): FitCall {
  const { rawArgs, ...rest } = call;
  const toolName = textOf(call.toolName).trim();
  const given = textOf(call.toolCallId);
  const toolCallId = given.trim() === "" || isTaken(given) ? newToolCallId() : given;
  const written = rawArgs === undefined ? call.args : rawArgs;
  const read = readArguments(written);
  if (!read.ok) {
    const unread = { ...rest, toolCallId, toolName, args: {}, rawArgs: cutDepth(written) };
    return { call: unread, unreadable: read.problem };
  }
  const tool = tools.get(toolName);
  const args = tool === undefined ? read.args : asMeant(tool, read.args);
  const isFit = toolName === call.toolName && toolCallId === call.toolCallId && args === call.args;
  return { call: isFit ? call : { ...rest, toolCallId, toolName, args }, unreadable: null };
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

const MOST_SENT = 2_000;

function problemOf(call: ToolCallPart, unreadable: string | null, cutOff: boolean): string | null {
  // Arguments that never began look like {}; a complete object can't be the beginning of a longer one.
  if (cutOff && (unreadable !== null || Object.keys(call.args).length === 0)) {
    return `Your response was cut off by the output limit while you wrote this call to ${call.toolName}, so it was not run. Make the call again with shorter arguments, in several steps if need be.`;
  }
  if (unreadable === null) return null;
  const why = `The arguments of ${call.toolName} can't be read as a JSON object, so it was not run: ${unreadable}.`;
  return `${why} Call it again with one whole JSON object. You sent:\n${sent(call.rawArgs ?? null)}`;
}

function sent(written: JsonValue): string {
  const text = typeof written === "string" ? written : JSON.stringify(written);
  const left = text.length - MOST_SENT;
  return left <= 0 ? text : headAndTail(text, MOST_SENT, `[... ${left} characters left out ...]`);
}

function findInText(response: Response, tools: ReadonlyMap<string, Tool>): FoundCalls {
  const cutOff = response.finishReason === "length";
  const { calls, rest, problem } = parseTextCalls(visibleText(response), tools, cutOff);
  const remark = problem === null ? null : `What you wrote as a tool call was not run: ${problem}.`;
  if (calls.length === 0) return { response, calls: [], problems: new Map(), remark };
  const made = calls.map(
    (call): ToolCallPart => ({ kind: "tool-call", toolCallId: newToolCallId(), ...call }),
  );
  const others = response.parts.filter((part) => part.kind !== "text");
  const text: ResponsePart[] = rest === "" ? [] : [{ kind: "text", content: rest }];
  const parts = [...others, ...text, ...made];
  return { response: { ...response, parts }, calls: made, problems: new Map(), remark };
}
