// Where a text may contain a tool call, and where one would be only an example. Each search goes through the text once: a
// model's text may be long and broken, and searching it blocks the program.
import type { JsonValue } from "../base/json.ts";
import { afterSurplus, describePlace, readNearlyJson, readOnlyNearlyJson } from "../base/nearly-json.ts";

export interface Candidate {
  readonly start: number;
  readonly end: number;
  readonly content: CandidateContent;
  /** Its end was written, so nothing of it can be missing. */
  readonly isClosed: boolean;
}

export type CandidateContent =
  /** Objects that name their tools. */
  | { readonly type: "calls"; readonly values: readonly JsonValue[] }
  /** The notation itself names the tool. */
  | { readonly type: "arguments"; readonly name: string; readonly value: JsonValue }
  | UnreadableContent;

export interface UnreadableContent {
  readonly type: "unreadable";
  readonly problem: string;
  /** The text ends before it does. */
  readonly isOpen?: boolean;
}

/** Fenced JSON objects at the end of the text: one that is followed by more prose is an example. */
export function fencedAtEnd(text: string): Candidate[] {
  const found = fences(text).filter(({ language }) => language === "" || language === "json");
  return thoseAtEnd(text, found).map(({ start, end, body }) => {
    const read = readOnlyNearlyJson(body);
    return { start, end, content: read.ok ? callIn(read.value) : unreadable(body, 0, read), isClosed: true };
  });
}

/** JSON objects that begin a line and end the text. After one that can't be read, nobody knows what is inside it. */
export function bareAtEnd(text: string): Candidate[] {
  const found: Candidate[] = [];
  let from = 0;
  for (const { 0: line, index } of text.matchAll(/^[ \t]*\{(?=\s*["'“])/gm)) {
    const start = index + line.length - 1;
    if (start < from) continue;
    const read = readNearlyJson(text, start);
    from = read.ok ? afterSurplus(text, read.end) : text.length;
    const content = read.ok ? callIn(read.value) : unreadable(text, start, read);
    found.push({ start, end: from, content, isClosed: true });
  }
  return thoseAtEnd(text, found);
}

/**
 * Calls behind a marker that says "this is a call". They begin a line or end the text, and are not in a code fence;
 * elsewhere the text is only about them. One without an end must begin a line. `read` returns null if what follows the
 * marker doesn't look like a call.
 */
export function marked(
  text: string,
  marker: RegExp,
  read: (match: RegExpExecArray) => Candidate | null,
): Candidate[] {
  const examples = fences(text);
  const found: Candidate[] = [];
  let from = 0;
  let fence = 0;
  for (const match of text.matchAll(marker)) {
    while ((examples[fence]?.end ?? text.length) <= match.index) fence++;
    const isExample = (examples[fence]?.start ?? text.length) <= match.index;
    if (match.index < from || isExample) continue;
    const candidate = read(match);
    if (candidate === null) continue;
    from = candidate.end;
    if (candidate.isClosed || beginsLine(text, candidate.start)) found.push(candidate);
  }
  const atEnd = new Set(thoseAtEnd(text, found));
  return found.filter((candidate) => atEnd.has(candidate) || beginsLine(text, candidate.start));
}

export function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === " " || text[before] === "\t") before--;
  return before < 0 || text[before] === "\n";
}

/** What is wrong with the JSON that begins there, and where in it. */
export function unreadable(
  text: string,
  from: number,
  { at, expected }: { readonly at: number; readonly expected: string },
): CandidateContent {
  const place = describePlace(text.slice(from), { at: at - from, expected });
  return { type: "unreadable", problem: `its JSON can't be read: ${place}`, isOpen: at === text.length };
}

function callIn(value: JsonValue): CandidateContent {
  return { type: "calls", values: [value] };
}

/** The last ones that have only white space between and after them. */
function thoseAtEnd<Place extends { readonly start: number; readonly end: number }>(
  text: string,
  places: readonly Place[],
): Place[] {
  let next = text.length;
  const first = places.findLastIndex(({ start, end }) => {
    if (text.slice(end, next).trim() !== "") return true;
    next = start;
    return false;
  });
  return places.slice(first + 1);
}

interface Fence {
  readonly start: number;
  readonly end: number;
  readonly language: string;
  readonly body: string;
}

/** The closed code fences. */
function fences(text: string): Fence[] {
  const found: Fence[] = [];
  let open: { start: number; language: string; bodyStart: number } | null = null;
  for (const match of text.matchAll(/^[ \t]*```([^\n]*)$/gm)) {
    const end = match.index + match[0].length;
    const rest = (match[1] ?? "").trim();
    if (open === null) open = { start: match.index, language: rest.toLowerCase(), bodyStart: end };
    else if (rest === "") {
      const { start, language, bodyStart } = open;
      found.push({ start, end, language, body: text.slice(bodyStart, match.index) });
      open = null;
    }
  }
  return found;
}
