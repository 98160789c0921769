// Finds where a text may contain a tool call, in four notations. Each scans the text once, in linear time: a model's text
// may be long and broken, and scanning it blocks the program.
import { defined } from "../base/defined.ts";

export interface Candidate {
  readonly start: number;
  readonly end: number;
  /** The tool's name, if the notation has it in the tag. */
  readonly name?: string;
  readonly json: string;
}

/** `<tool_call>{json}</tool_call>` */
export function toolCallTags(text: string): Candidate[] {
  return tagged(text, /<tool_call>/g, "</tool_call>");
}

/** `<function=NAME>{json}</function>` */
export function functionTags(text: string): Candidate[] {
  return tagged(text, /<function=([^>\s]+)>/g, "</function>");
}

/** Fenced JSON objects at the end of the text: one that is followed by more prose is an example. */
export function fencedAtEnd(text: string): Candidate[] {
  const found = fences(text).filter(({ language }) => language === "" || language === "json");
  return thoseAtEnd(text, found);
}

/** JSON objects that begin a line and end the text. */
export function bareAtEnd(text: string): Candidate[] {
  return thoseAtEnd(text, objects(text)).filter(({ start }) => beginsLine(text, start));
}

/**
 * Tags that begin a line or end the text, outside code fences; elsewhere the text is only about them. One that begins a
 * line and is never closed reaches to the end, because some servers cut off the closing tag.
 */
function tagged(text: string, opening: RegExp, closing: string): Candidate[] {
  const examples = fences(text);
  const lastClosing = text.lastIndexOf(closing);
  const found: Candidate[] = [];
  let from = 0;
  let fence = 0;
  for (const match of text.matchAll(opening)) {
    const start = match.index;
    while ((examples[fence]?.end ?? text.length) <= start) fence++;
    const isExample = (examples[fence]?.start ?? text.length) <= start;
    const bodyStart = start + match[0].length;
    const isClosed = bodyStart <= lastClosing;
    if (start < from || isExample) continue;
    if (!isClosed && !(beginsLine(text, start) && objectFollows(text, bodyStart))) continue;
    const bodyEnd = isClosed ? text.indexOf(closing, bodyStart) : text.length;
    from = isClosed ? bodyEnd + closing.length : bodyEnd;
    found.push(defined({ start, end: from, name: match[1], json: text.slice(bodyStart, bodyEnd) }));
  }
  const atEnd = new Set(thoseAtEnd(text, found));
  return found.filter((candidate) => atEnd.has(candidate) || beginsLine(text, candidate.start));
}

function objectFollows(text: string, at: number): boolean {
  const object = /\s*\{/y;
  object.lastIndex = at;
  return object.test(text);
}

/** The last candidates that have only white space between and after them. */
function thoseAtEnd(text: string, candidates: readonly Candidate[]): Candidate[] {
  let next = text.length;
  const first = candidates.findLastIndex(({ start, end }) => {
    if (text.slice(end, next).trim() !== "") return true;
    next = start;
    return false;
  });
  return candidates.slice(first + 1);
}

function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === " " || text[before] === "\t") before--;
  return before < 0 || text[before] === "\n";
}

/** The closed code fences. */
function fences(text: string): (Candidate & { readonly language: string })[] {
  const found: ReturnType<typeof fences> = [];
  let open: { start: number; language: string; bodyStart: number } | null = null;
  for (const match of text.matchAll(/^[ \t]*```([^\n]*)$/gm)) {
    const end = match.index + match[0].length;
    const rest = (match[1] ?? "").trim();
    if (open === null) open = { start: match.index, language: rest.toLowerCase(), bodyStart: end };
    else if (rest === "") {
      const { start, language, bodyStart } = open;
      found.push({ start, end, language, json: text.slice(bodyStart, match.index) });
      open = null;
    }
  }
  return found;
}

/** The outermost pairs of braces, in order. A JSON string never spans lines. */
function objects(text: string): Candidate[] {
  const found: Candidate[] = [];
  const open: number[] = [];
  for (const match of text.matchAll(/"(?:[^"\\\n]+|\\.)*"?|[{}]/g)) {
    if (match[0] === "{") open.push(match.index);
    if (match[0] !== "}") continue;
    const start = open.pop();
    if (start === undefined) continue;
    while ((found.at(-1)?.start ?? -1) > start) found.pop();
    const end = match.index + 1;
    found.push({ start, end, json: text.slice(start, end) });
  }
  return found;
}
