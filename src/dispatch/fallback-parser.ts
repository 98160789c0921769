// Tool calls that a model wrote as text. Four ways of writing them, tried in order; the first that yields a
// call wins. Only what is laid out as a call counts: JSON inside prose, or an example, stays text.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import { decodeArgs } from "../domain/call-args.ts";
import type { Tool } from "../domain/tool.ts";
import { checkArguments } from "./check-arguments.ts";
import { bareAtEnd, type Candidate, fencedAtEnd, functionTags, toolCallTags } from "./text-candidates.ts";

export interface FallbackResult {
  readonly calls: readonly TextCall[];
  /** The text without the calls. */
  readonly rest: string;
  /** Something was clearly meant as a call and can't be used: why. */
  readonly problem: string | null;
}

export interface TextCall {
  readonly toolName: string;
  readonly args: JsonObject;
}

interface Strategy {
  readonly find: (text: string) => Candidate[];
  /** A tag says "this is a call" even when its content is broken; a JSON object by itself does not. */
  readonly explicit: boolean;
}

/** Longer texts than this are answers, not calls; looking through them would only cost time. */
const MAX_TEXT = 1_000_000;
/** More calls than this in one text are not meant. */
const MAX_CALLS = 100;

const STRATEGIES: readonly Strategy[] = [
  { explicit: true, find: toolCallTags },
  { explicit: true, find: functionTags },
  { explicit: false, find: fencedAtEnd },
  { explicit: false, find: bareAtEnd },
];

export function parseTextCalls(text: string, tools: ReadonlyMap<string, Tool>): FallbackResult {
  const nothing = { calls: [], rest: text, problem: null };
  if (text.length > MAX_TEXT || !/[{<]/.test(text)) return nothing;
  let problem: string | null = null;
  for (const strategy of STRATEGIES) {
    const calls: TextCall[] = [];
    const used: Candidate[] = [];
    for (const candidate of strategy.find(text).slice(0, MAX_CALLS)) {
      const read = readCall(candidate, tools);
      if (read.ok) {
        calls.push(read.call);
        used.push(candidate);
      } else if (strategy.explicit) {
        problem ??= read.problem;
      }
    }
    if (calls.length > 0) return { calls, rest: without(text, used), problem };
  }
  return { ...nothing, problem };
}

type Read = { readonly ok: true; readonly call: TextCall } | { readonly ok: false; readonly problem: string };

function readCall(candidate: Candidate, tools: ReadonlyMap<string, Tool>): Read {
  const parsed = parseJson(candidate.json.trim() === "" ? "{}" : candidate.json);
  if (!parsed.ok) return { ok: false, problem: `its JSON can't be read (${parsed.problem})` };
  if (!isJsonObject(parsed.value)) return { ok: false, problem: "it is not a JSON object" };
  const name = candidate.name ?? firstString(parsed.value, ["name", "tool", "function"]);
  if (name === undefined) return { ok: false, problem: "it names no tool" };
  const toolName = name.trim();
  const tool = tools.get(toolName);
  if (tool === undefined)
    return { ok: false, problem: `there is no tool called ${JSON.stringify(toolName)}` };
  const given =
    candidate.name === undefined
      ? firstPresent(parsed.value, ["arguments", "args", "parameters"])
      : parsed.value;
  const args = decodeArgs(given);
  if (args === null) return { ok: false, problem: `the arguments of ${toolName} are not a JSON object` };
  const validation = checkArguments(tool, args);
  if (!validation.ok)
    return { ok: false, problem: `the arguments don't fit ${toolName}: ${validation.problem}` };
  return { ok: true, call: { toolName, args } };
}

function without(text: string, used: readonly Candidate[]): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of used) {
    rest += text.slice(from, start);
    from = end;
  }
  return (rest + text.slice(from)).trim();
}

function firstPresent(object: JsonObject, keys: readonly string[]): JsonValue {
  for (const key of keys) if (object[key] !== undefined) return object[key];
  return null;
}

function firstString(object: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = object[key];
    if (typeof value === "string") return value;
  }
  return undefined;
}
