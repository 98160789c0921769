// Reads JSON that is nearly right as it was meant: trailing commas, raw line breaks in texts, single quotes, names without
// quotes, Python's words, comments. Nothing is ever added or guessed: a text that ends inside a text, a list or an object
// is wrong, and so is whatever could be read in two ways (an escape that JSON doesn't know, a number like 010).
import type { JsonObject, JsonValue } from "./json.ts";
import { MAX_JSON_DEPTH } from "./json-depth.ts";

/** `end` is the place after the value; what follows is not looked at. `at` is the place where it went wrong. */
type NearlyRead =
  | { readonly ok: true; readonly value: JsonValue; readonly end: number }
  | { readonly ok: false; readonly at: number; readonly expected: string };

/** Reads one value. Every character is looked at once. */
export function readNearlyJson(text: string, from = 0): NearlyRead {
  const cursor = { text, at: from };
  try {
    skipBlank(cursor);
    const value = readValue(cursor, 0);
    return { ok: true, value, end: cursor.at };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ok: false, at: error.at, expected: error.expected };
  }
}

/** Reads a text that is one value, perhaps in a code fence, perhaps with more closing braces than there are open ones. */
export function readOnlyNearlyJson(text: string): NearlyRead {
  const fence = /^\s*```\w*/.exec(text)?.[0] ?? "";
  const read = readNearlyJson(text, fence.length);
  if (!read.ok) return read;
  const rest = /\s*(?:```)?\s*/y;
  rest.lastIndex = afterSurplus(text, read.end);
  rest.test(text);
  if (rest.lastIndex === text.length) return { ...read, end: text.length };
  return { ok: false, at: rest.lastIndex, expected: "nothing more" };
}

/** Models lose count of the braces they have to close. One too many says nothing about the value before it. */
export function afterSurplus(text: string, end: number): number {
  const surplus = /(?:\s*\})*/y;
  surplus.lastIndex = end;
  surplus.test(text);
  return surplus.lastIndex;
}

const SHOWN_BEFORE = 60;
const SHOWN_AFTER = 30;

/** Where it went wrong, what was expected there, and what came. */
export function describePlace(text: string, { at, expected }: { at: number; expected: string }): string {
  const lines = text.slice(0, at).split("\n");
  const before = text.slice(Math.max(0, at - SHOWN_BEFORE), at).toWellFormed();
  const after = text.slice(at, at + SHOWN_AFTER).toWellFormed();
  const place = `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}: expected ${expected}`;
  const following = before === "" ? "" : ` after \`${before}\``;
  return `${place}${following}, got ${after === "" ? "the end of the text" : `\`${after}\``}`;
}

interface Cursor {
  readonly text: string;
  at: number;
}

class Unreadable extends Error {
  readonly at: number;
  readonly expected: string;

  constructor(at: number, expected: string) {
    super(expected);
    this.at = at;
    this.expected = expected;
  }
}

/** A line break between values may have been escaped once too often. */
const BLANK = /\s+|\\[nrt]|\/\/[^\n]*/y;

function skipBlank(cursor: Cursor): void {
  while (take(cursor, BLANK) !== null || skipComment(cursor));
}

function skipComment(cursor: Cursor): boolean {
  if (!cursor.text.startsWith("/*", cursor.at)) return false;
  const end = cursor.text.indexOf("*/", cursor.at + 2);
  if (end < 0) throw new Unreadable(cursor.text.length, "the end of a comment");
  cursor.at = end + 2;
  return true;
}

function take(cursor: Cursor, pattern: RegExp): string | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? null;
  if (found !== null) cursor.at += found.length;
  return found;
}

const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
]);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function readValue(cursor: Cursor, depth: number): JsonValue {
  const first = cursor.text.charAt(cursor.at);
  if (first === "{" || first === "[") {
    if (depth === MAX_JSON_DEPTH) throw new Unreadable(cursor.at, `at most ${MAX_JSON_DEPTH} levels`);
    return first === "{" ? readObject(cursor, depth) : readList(cursor, depth);
  }
  if (QUOTES.has(first)) return readText(cursor);
  const at = cursor.at;
  const word = take(cursor, /[\w.+$-]+/y) ?? "";
  const known = WORDS.get(word) ?? (isJsonNumber(word) ? Number(word) : undefined);
  if (known !== undefined) return known;
  if (WORDS.has(word)) return null;
  throw new Unreadable(at, "a value");
}

/** A number as JSON writes it. */
export function isJsonNumber(text: string): boolean {
  return NUMBER.test(text) && Number.isFinite(Number(text));
}

function readList(cursor: Cursor, depth: number): JsonValue[] {
  const values: JsonValue[] = [];
  readItems(cursor, "]", () => values.push(readValue(cursor, depth + 1)));
  return values;
}

function readObject(cursor: Cursor, depth: number): JsonObject {
  const entries = new Map<string, JsonValue>();
  readItems(cursor, "}", () => {
    const at = cursor.at;
    const name = readName(cursor);
    if (entries.has(name)) throw new Unreadable(at, "each name once");
    skipBlank(cursor);
    if (take(cursor, /:/y) === null) throw new Unreadable(cursor.at, '":"');
    skipBlank(cursor);
    entries.set(name, readValue(cursor, depth + 1));
  });
  return Object.fromEntries(entries);
}

function readItems(cursor: Cursor, closing: "]" | "}", readItem: () => void): void {
  cursor.at++;
  while (true) {
    skipBlank(cursor);
    if (cursor.text[cursor.at] === closing) break;
    readItem();
    skipBlank(cursor);
    if (cursor.text[cursor.at] === closing) break;
    if (take(cursor, /,/y) === null) throw new Unreadable(cursor.at, `a comma or "${closing}"`);
  }
  cursor.at++;
}

function readName(cursor: Cursor): string {
  if (QUOTES.has(cursor.text.charAt(cursor.at))) return readText(cursor);
  const name = take(cursor, /[\p{ID_Start}$_][\p{ID_Continue}$-]*/uy);
  if (name === null) throw new Unreadable(cursor.at, 'a name in quotes or "}"');
  return name;
}

/** What opens a text: what closes it, and all that may stand in it as it is. */
const QUOTES: ReadonlyMap<string, { readonly closing: string; readonly plain: RegExp }> = new Map([
  ['"', { closing: '"', plain: /[^"\\]+/y }],
  ["'", { closing: "'", plain: /[^'\\]+/y }],
  ["“", { closing: "”", plain: /[^”\\]+/y }],
]);

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function readText(cursor: Cursor): string {
  const quotes = QUOTES.get(cursor.text.charAt(cursor.at));
  if (quotes === undefined) throw new Unreadable(cursor.at, "a text in quotes");
  cursor.at++;
  let value = "";
  while (true) {
    value += take(cursor, quotes.plain) ?? "";
    const next = cursor.text[cursor.at];
    if (next === undefined) throw new Unreadable(cursor.at, `the closing ${quotes.closing} of a text`);
    cursor.at++;
    if (next === quotes.closing) return value;
    value += readEscape(cursor, quotes.closing);
  }
}

function readEscape(cursor: Cursor, closing: string): string {
  const code = take(cursor, /u[\da-fA-F]{4}/y);
  if (code !== null) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
  const next = cursor.text.charAt(cursor.at);
  const meant = Object.hasOwn(ESCAPES, next) ? ESCAPES[next] : undefined;
  cursor.at++;
  if (meant !== undefined) return meant;
  // In a text in double quotes, \' may be a quote, or a backslash and a quote for the shell.
  if (next !== "" && next === closing) return next;
  throw new Unreadable(cursor.at - 1, "an escape that JSON has (a backslash itself is written \\\\)");
}
