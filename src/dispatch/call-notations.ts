// The notations in which models write calls as text and say that they are calls: tags, functions with parameters, and
// Mistral's marker. What is not whole is never made whole.
import type { JsonValue } from "../base/json.ts";
import { afterSurplus, readNearlyJson } from "../base/nearly-json.ts";
import { beginsLine, type Candidate, type CandidateContent, marked, unreadable } from "./text-candidates.ts";

const CALL_END = "</tool_call>";
const FUNCTION_END = "</function>";
const PARAMETER_END = "</parameter>";

/** `<tool_call>{json}</tool_call>`, also with a list. One around a `<function=NAME>` is left to the next notation. */
export function toolCallTags(text: string): Candidate[] {
  const lastEnd = text.lastIndexOf(CALL_END);
  return marked(text, /<tool_call>/g, ({ 0: tag, index: start }) => {
    const from = afterBlank(text, start + tag.length);
    const isCall = lastEnd >= from || (beginsLine(text, start) && follows(/[{[]/y, text, from));
    if (!isCall || text.startsWith("<function=", from)) return null;
    return readTagged({ text, start, from, closing: CALL_END, next: ["<tool_call>"] }, asCalls);
  });
}

/** `<function=NAME>{json}</function>` and `<function=NAME><parameter=KEY>value</parameter></function>`. */
export function functionTags(text: string): Candidate[] {
  const lastEnd = text.lastIndexOf(FUNCTION_END);
  const next = [CALL_END, "<tool_call>", "<function="];
  return marked(
    text,
    /(?:<tool_call>\s*)?<function=([^<>\n]*)(>?)/g,
    ({ 0: tag, 1: given = "", 2: bracket, index: start }) => {
      const name = given.trim();
      const from = afterBlank(text, start + tag.length);
      const place = { text, start, from, closing: FUNCTION_END, next };
      if (bracket === "" && !beginsLine(text, start)) return null;
      if (bracket === "") return failed(place, from, `the ">" after "<function=${name}" is missing`);
      const isBegun = beginsLine(text, start) && follows(/\{|<parameter=|<\/tool_call>/y, text, from);
      const found =
        lastEnd >= from || isBegun
          ? (readParameters(place, name) ?? readTagged(place, (value) => argumentsOf(name, value)))
          : null;
      return found && { ...found, end: after(CALL_END, text, found.end) };
    },
  );
}

/** `[TOOL_CALLS][{json}, ...]`, `[TOOL_CALLS]NAME[ARGS]{json}`, and the latter without `[ARGS]`. */
export function mistralMarkers(text: string): Candidate[] {
  const marker = /\[TOOL_CALLS\]\s*(?:([\w.-]+)\s*(?:\[CALL_ID\][\w-]*\s*)?(\[ARGS\])?\s*)?/g;
  return marked(text, marker, ({ 0: { length }, 1: name, 2: isMarked, index: start }) => {
    const from = start + length;
    if (isMarked === undefined && !follows(name === undefined ? /\{|\[\s*\{/y : /\{/y, text, from))
      return null;
    const read = readNearlyJson(text, from);
    if (!read.ok) return { start, end: text.length, content: unreadable(text, from, read), isClosed: false };
    const whole = afterSurplus(text, read.end);
    const end = after("</s>", text, after("[/TOOL_CALLS]", text, whole));
    if (follows(/\s*[\w.-]+\s*\[ARGS\]/y, text, end)) {
      const problem = "every call needs a [TOOL_CALLS] of its own";
      return { start, end: text.length, content: { type: "unreadable", problem }, isClosed: true };
    }
    // Prose in the same line is about the notation.
    if (!follows(/[ \t]*(?:\n|$)|\s*\[TOOL_CALLS\]/y, text, end)) return null;
    const content = name === undefined ? asCalls(read.value) : argumentsOf(name, read.value);
    return { start, end, content, isClosed: true };
  });
}

/** A place where a call begins, what ends it, and what else may come after it. */
interface Place {
  readonly text: string;
  readonly start: number;
  readonly from: number;
  readonly closing: string;
  readonly next: readonly string[];
}

/** JSON up to a closing tag. Some servers cut the tag off, so the next call or the end of the text will do. */
function readTagged(place: Place, contentOf: (value: JsonValue) => CandidateContent): Candidate {
  const { text, start, from, closing, next } = place;
  const read = readNearlyJson(text, from);
  if (!read.ok) return { ...failed(place, read.at, ""), content: unreadable(text, from, read) };
  const whole = afterBlank(text, afterSurplus(text, read.end));
  const end = after(closing, text, whole);
  const isClosed = end > whole || next.some((tag) => text.startsWith(tag, whole));
  if (isClosed || whole === text.length) return { start, end, content: contentOf(read.value), isClosed };
  return failed(place, whole, `${closing} was expected after its JSON`);
}

/** Null if there are none. Values are as they stand, without the line breaks that the notation puts around them. */
function readParameters(place: Place, name: string): Candidate | null {
  const { text, start, from } = place;
  const values = new Map<string, string>();
  let at = from;
  while (text.startsWith("<parameter=", at)) {
    const tag = /<parameter=([^<>\n]+)>/y;
    tag.lastIndex = at;
    const key = tag.exec(text)?.[1]?.trim();
    if (key === undefined) return failed(place, at, "a <parameter=NAME> has no name or no end");
    const valueEnd = text.indexOf(PARAMETER_END, tag.lastIndex);
    if (valueEnd < 0) return failed(place, text.length, `the value of ${key} has no ${PARAMETER_END}`);
    const value = text.slice(tag.lastIndex, valueEnd);
    at = afterBlank(text, valueEnd + PARAMETER_END.length);
    if (value.includes("<parameter="))
      return failed(place, at, `nobody can tell where the value of ${key} ends; ${AS_JSON}`);
    if (values.has(key)) return failed(place, at, `${key} is given twice`);
    values.set(key, value.replace(/^\r?\n/, "").replace(/\r?\n$/, ""));
  }
  const closing = [FUNCTION_END, CALL_END].find((tag) => text.startsWith(tag, at));
  if (closing !== undefined) {
    const content = argumentsOf(name, Object.fromEntries(values));
    return { start, end: at + closing.length, content, isClosed: true };
  }
  if (values.size === 0) return null;
  const last = [...values.keys()].at(-1);
  return failed(place, at, `${FUNCTION_END} was expected after the value of ${last}; ${AS_JSON}`);
}

const AS_JSON = "write the arguments as a JSON object instead";

/** Whatever follows up to the closing tag belongs to the call that can't be read. */
function failed({ text, start, closing }: Place, at: number, problem: string): Candidate {
  const found = text.indexOf(closing, at);
  const isClosed = found >= 0;
  const end = isClosed ? found + closing.length : text.length;
  return { start, end, content: { type: "unreadable", problem }, isClosed };
}

function asCalls(value: JsonValue): CandidateContent {
  return { type: "calls", values: Array.isArray(value) ? value : [value] };
}

function argumentsOf(name: string, value: JsonValue): CandidateContent {
  return { type: "arguments", name, value };
}

function follows(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function afterBlank(text: string, at: number): number {
  const blank = /\s*/y;
  blank.lastIndex = at;
  blank.test(text);
  return blank.lastIndex;
}

/** The place after the tag, if it is there. */
function after(tag: string, text: string, at: number): number {
  const start = afterBlank(text, at);
  return text.startsWith(tag, start) ? start + tag.length : at;
}
