// Tool calls that a model wrote as text. Four ways of writing them, tried in order; the first that yields a
// call wins. Only what is laid out as a call counts: JSON inside prose, or an example, stays text.
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import type { Tool } from "../domain/tool.ts";
import { decodeArgs } from "./decode-args.ts";
import { validateArgs } from "./validate-args.ts";

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

interface Candidate {
  readonly start: number;
  readonly end: number;
  /** From the tag, where the notation has the name there. */
  readonly name?: string;
  readonly json: string;
}

interface Strategy {
  readonly find: (text: string) => Candidate[];
  /** A tag says "this is a call" even when its content is broken; a JSON object by itself does not. */
  readonly explicit: boolean;
}

/** Longer texts than this are answers, not calls; looking through them would only cost time. */
const MAX_TEXT = 200_000;

const STRATEGIES: readonly Strategy[] = [
  { explicit: true, find: (text) => tagged(text, /^[ \t]*<tool_call>([\s\S]*?)<\/tool_call>/gm) },
  { explicit: true, find: (text) => tagged(text, /^[ \t]*<function=([^>\s]+)>([\s\S]*?)<\/function>/gm) },
  { explicit: false, find: fencedAtEnd },
  { explicit: false, find: bareAtEnd },
];

export function parseTextCalls(text: string, tools: ReadonlyMap<string, Tool>): FallbackResult {
  const nothing = { calls: [], rest: text, problem: null };
  if (text.length > MAX_TEXT || !text.includes("{")) return nothing;
  let problem: string | null = null;
  for (const strategy of STRATEGIES) {
    const calls: TextCall[] = [];
    const used: Candidate[] = [];
    for (const candidate of strategy.find(text)) {
      const read = readCall(candidate, tools);
      if (read.ok) {
        calls.push(read.call);
        used.push(candidate);
      } else if (strategy.explicit) {
        problem ??= read.problem;
      }
    }
    if (calls.length > 0) return { calls, rest: without(text, used), problem: null };
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
  const validation = validateArgs(tool, args);
  if (!validation.ok)
    return { ok: false, problem: `the arguments don't fit ${toolName}: ${validation.problem}` };
  return { ok: true, call: { toolName, args } };
}

/** Tags at the beginning of a line and outside code fences; in a sentence or an example they are talked about. */
function tagged(text: string, pattern: RegExp): Candidate[] {
  const fences = fencedRanges(text);
  return [...text.matchAll(pattern)]
    .map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      ...(match[2] === undefined ? {} : { name: match[1] ?? "" }),
      json: match[2] ?? match[1] ?? "",
    }))
    .filter((candidate) => !fences.some(([from, to]) => candidate.start >= from && candidate.start < to));
}

function fencedRanges(text: string): [number, number][] {
  return [...text.matchAll(/^[ \t]*```[\s\S]*?^[ \t]*```[ \t]*$/gm)].map((m) => [
    m.index,
    m.index + m[0].length,
  ]);
}

/** Fenced JSON objects that end the text: whatever is followed by more prose is an example. */
function fencedAtEnd(text: string): Candidate[] {
  const found: Candidate[] = [];
  let end = text.length;
  while (true) {
    const match = /(?:^|\n)[ \t]*```(?:json)?[ \t]*\n((?:(?!```)[\s\S])*?)\n[ \t]*```\s*$/.exec(
      text.slice(0, end),
    );
    if (match === null) return found;
    found.unshift({ start: match.index, end, json: match[1] ?? "" });
    end = match.index;
  }
}

/** A JSON object that begins a line and ends the text. */
function bareAtEnd(text: string): Candidate[] {
  const trimmed = text.trimEnd();
  if (!trimmed.endsWith("}")) return [];
  for (const match of trimmed.matchAll(/^[ \t]*\{/gm)) {
    const json = trimmed.slice(match.index);
    if (parseJson(json).ok) return [{ start: match.index, end: text.length, json }];
  }
  return [];
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
