// Reads tool calls that a model wrote as text. The notations are tried in order, and the first that yields a call wins.
// JSON inside prose, or in an example, stays text.
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { readArguments } from "../domain/call-args.ts";
import type { Tool } from "../domain/tool.ts";
import { functionTags, mistralMarkers, toolCallTags } from "./call-notations.ts";
import { asMeant, checkArguments } from "./check-arguments.ts";
import { bareAtEnd, type Candidate, fencedAtEnd, type UnreadableContent } from "./text-candidates.ts";

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

/** `isMeant`: it names a tool that exists, and has arguments. */
interface Unusable {
  readonly problem: string;
  readonly isMeant: boolean;
}

interface Notation {
  readonly find: (text: string) => Candidate[];
  /** A marker says "this is a call" even when its content is broken; a JSON object by itself does not. */
  readonly explicit: boolean;
}

/** A longer text is an answer, not a call; scanning it would only cost time. */
const MAX_TEXT = 1_000_000;
/** No model means to make more calls than this in one text. */
const MAX_CALLS = 100;

const NOTATIONS: readonly Notation[] = [
  { explicit: true, find: toolCallTags },
  { explicit: true, find: functionTags },
  { explicit: true, find: mistralMarkers },
  { explicit: false, find: fencedAtEnd },
  { explicit: false, find: bareAtEnd },
];

/** `cutOff`: the output limit ended the text, so a call whose end isn't marked may be half of one, or an example. */
export function parseTextCalls(
  text: string,
  tools: ReadonlyMap<string, Tool>,
  cutOff = false,
): FallbackResult {
  const nothing = { calls: [], rest: text, problem: null };
  if (text.length > MAX_TEXT || !/[{<]|\[TOOL_CALLS\]/.test(text)) return nothing;
  const broken: Candidate[] = [];
  let problem: string | null = null;
  for (const { find, explicit } of NOTATIONS) {
    const candidates = cutOff && !explicit ? [] : find(text).slice(0, MAX_CALLS);
    const calls: TextCall[] = [];
    const used: Candidate[] = [];
    for (const candidate of candidates.filter((each) => !broken.some((other) => overlap(each, other)))) {
      const read = cutOff && !candidate.isClosed ? [CUT_OFF] : readCandidate(candidate, text, tools);
      const found = read.filter((each) => "toolName" in each);
      const wrong = read.filter((each) => "problem" in each).filter(({ isMeant }) => explicit || isMeant);
      problem ??= wrong[0]?.problem ?? null;
      if (found.length > 0) used.push(candidate);
      else if (explicit) broken.push(candidate);
      calls.push(...found);
    }
    // What stands before JSON that can't be read need not be the end of the text.
    const isUncertain = !explicit && candidates.some(({ content }) => content.type === "unreadable");
    if (calls.length > 0 && !isUncertain)
      return { calls: calls.slice(0, MAX_CALLS), rest: without(text, used), problem };
  }
  return { ...nothing, problem };
}

const CUT_OFF: Unusable = { problem: "it was cut off by the output limit", isMeant: true };

function readCandidate(
  { content, start, end }: Candidate,
  text: string,
  tools: ReadonlyMap<string, Tool>,
): (TextCall | Unusable)[] {
  switch (content.type) {
    case "calls":
      return content.values.map((value) => readCall(value, tools));
    case "arguments":
      return [makeCall(content.name, content.value, tools)];
    case "unreadable":
      return [{ problem: content.problem, isMeant: looksMeant(content, text.slice(start, end), tools) }];
  }
}

/** An object that begins like a call, and ends like an object or not at all, though it can't be read. */
function looksMeant({ isOpen }: UnreadableContent, text: string, tools: ReadonlyMap<string, Tool>): boolean {
  const name = /^[^{]*\{\s*["'“](?:name|tool|function)["'”]\s*:\s*["'“]([^"'”\n]*)["'”]/.exec(text)?.[1];
  return name !== undefined && tools.has(name.trim()) && (isOpen || /\}[\s`]*$/.test(text.slice(-1_000)));
}

function readCall(value: JsonValue, tools: ReadonlyMap<string, Tool>): TextCall | Unusable {
  if (!isJsonObject(value)) return { problem: "it is not a JSON object", isMeant: false };
  const call = isJsonObject(value["function"]) ? value["function"] : value;
  const name = [call["name"], call["tool"], call["function"]].find((each) => typeof each === "string");
  if (name === undefined) return { problem: "it names no tool", isMeant: false };
  const given = call["arguments"] ?? call["args"] ?? call["parameters"] ?? null;
  if (given !== null) return makeCall(name, given, tools);
  // They may be meant as arguments, or be about something else that has a name.
  const others = Object.keys(call).filter((key) => !ABOUT_CALL.has(key));
  if (others.length === 0) return makeCall(name, null, tools);
  return { problem: `${others.join(", ").slice(0, 200)} must stand in "arguments"`, isMeant: false };
}

const ABOUT_CALL = new Set("name tool function arguments args parameters id type index".split(" "));

function makeCall(name: string, given: JsonValue, tools: ReadonlyMap<string, Tool>): TextCall | Unusable {
  const toolName = name.trim();
  const tool = tools.get(toolName);
  if (tool === undefined)
    return { problem: `there is no tool called ${JSON.stringify(toolName)}`, isMeant: false };
  const isMeant = given !== null;
  const read = readArguments(given);
  if (!read.ok)
    return { problem: `the arguments of ${toolName} are not a JSON object: ${read.problem}`, isMeant };
  const checked = checkArguments(tool, read.args);
  if (checked.ok) return { toolName, args: asMeant(tool, read.args) };
  return { problem: `the arguments don't fit ${toolName}: ${checked.problem}`, isMeant };
}

function overlap(one: Candidate, other: Candidate): boolean {
  return one.start < other.end && other.start < one.end;
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
