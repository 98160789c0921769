// Reads tool calls that a model wrote as text. Four notations are tried in order, and the first that yields a call wins.
// JSON inside prose, or in an example, stays text.
import { isJsonObject, type JsonObject, parseJson } from "../base/json.ts";
import { decodeArgs } from "../domain/call-args.ts";
import type { Tool } from "../domain/tool.ts";
import { checkArguments } from "./check-arguments.ts";
import { bareAtEnd, type Candidate, fencedAtEnd, functionTags, toolCallTags } from "./text-candidates.ts";

interface FallbackResult {
  readonly calls: readonly TextCall[];
  /** The text without the calls. */
  readonly rest: string;
  /** Why something that was clearly meant as a call can't be used. */
  readonly problem: string | null;
}

interface TextCall {
  readonly toolName: string;
  readonly args: JsonObject;
}

interface Strategy {
  readonly find: (text: string) => Candidate[];
  /** A tag says "this is a call" even when its content is broken; a JSON object by itself does not. */
  readonly explicit: boolean;
}

/** A longer text is an answer, not a call; scanning it would only cost time. */
const MAX_TEXT = 1_000_000;
/** No model means to make more calls than this in one text. */
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
      if (typeof read !== "string") {
        calls.push(read);
        used.push(candidate);
      } else if (strategy.explicit) problem ??= read;
    }
    if (calls.length > 0) return { calls, rest: without(text, used), problem };
  }
  return { ...nothing, problem };
}

/** Returns a string that says why, if the candidate is not a call. */
function readCall(candidate: Candidate, tools: ReadonlyMap<string, Tool>): TextCall | string {
  const parsed = parseJson(candidate.json.trim() === "" ? "{}" : candidate.json);
  if (!parsed.ok) return `its JSON can't be read (${parsed.problem})`;
  const { value } = parsed;
  if (!isJsonObject(value)) return "it is not a JSON object";
  const named = [value["name"], value["tool"], value["function"]].find((name) => typeof name === "string");
  const toolName = (candidate.name ?? named)?.trim();
  if (toolName === undefined) return "it names no tool";
  const tool = tools.get(toolName);
  if (tool === undefined) return `there is no tool called ${JSON.stringify(toolName)}`;
  const within = value["arguments"] ?? value["args"] ?? value["parameters"] ?? null;
  const args = decodeArgs(candidate.name === undefined ? within : value);
  if (args === null) return `the arguments of ${toolName} are not a JSON object`;
  const checked = checkArguments(tool, args);
  return checked.ok ? { toolName, args } : `the arguments don't fit ${toolName}: ${checked.problem}`;
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
