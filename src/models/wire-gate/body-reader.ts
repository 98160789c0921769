// Reads a body in three parts: what stands before the conversation, the conversation, and what stands after it, so
// that a reader may begin in the midst of the conversation. Where the parts meet is guessed from how the SDKs write,
// and then each part is parsed as what it should be: a wrong guess is no JSON. A body that is written in another way
// than JSON.stringify's is not read here at all.
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { Grammar } from "./check.ts";

/** Undefined: it is no JSON, or not fit to be sent. */
export type Read = (json: string) => JsonValue | undefined;

export interface Head {
  readonly fields: JsonObject;
  /** Where the first message begins, right after the bracket. */
  readonly end: number;
}

export function readHead(body: string, list: string, read: Read): Head | undefined {
  const opening = `"${list}":[`;
  const at = body.indexOf(opening);
  if (at === -1) return undefined;
  const end = at + opening.length;
  const fields = readExactly(`${body.slice(0, end)}]}`, read);
  // A longer name may end like ours.
  return fields !== undefined && Object.keys(fields).at(-1) === list ? { fields, end } : undefined;
}

/** The messages from a place on, up to the bracket that ends them. A place in the midst is right after a comma. */
export function readMessages(body: string, from: number, end: number, read: Read): readonly JsonValue[] {
  const isFirst = body[from - 1] === "[";
  const messages = read(isFirst ? body.slice(from - 1, end + 1) : `[${body.slice(from, end + 1)}`);
  return Array.isArray(messages) ? messages : [];
}

export interface Foot {
  readonly fields: JsonObject;
  /** From the bracket that ends the conversation. */
  readonly text: string;
}

/**
 * Whether a foot that was read before stands at the end, after `from`. From call to call it is mostly the same. If what
 * stands before it can be read as messages, the same text is the same foot.
 */
export function endsWithFoot(body: string, from: number, { text }: Foot): boolean {
  return body.length - text.length > from && body.endsWith(text);
}

/** from: where to look for it. */
export function readFoot(
  body: string,
  from: number,
  { list, messageBegins }: Grammar,
  read: Read,
): Foot | undefined {
  const text = body.slice(from);
  let at = text.length;
  for (let guesses = 0; guesses < MOST_GUESSES && at > 0; guesses++) {
    at = Math.max(...messageBegins.map((begin) => text.lastIndexOf(begin, at - 1)));
    if (at === -1) return undefined;
    const fields = readExactly(`{"${list}":[${text.slice(at)}`, read);
    if (fields === undefined) continue;
    const messages = JSON.stringify(fields[list]);
    return { fields, text: text.slice(at + messages.length - "[]".length) };
  }
  return undefined;
}

/** A tool's parameters may look like a message. */
const MOST_GUESSES = 16;

/** An object that is written the one way JSON.stringify writes it, so that no field stands in it twice. */
function readExactly(json: string, read: Read): JsonObject | undefined {
  const value = read(json);
  return isJsonObject(value) && JSON.stringify(value) === json ? value : undefined;
}

/** Where the last messages begin in a list that ends with the bracket at `end`, if JSON.stringify wrote them. */
export function beginOfLast(body: string, end: number, last: readonly JsonValue[]): number | undefined {
  // JSON can be read backwards, too: whether a quote begins or ends a text, or is part of it, can be told from the
  // backslashes right before it, and so what is text and which brackets belong together. A list that ends like this
  // has these as its last entries.
  const ending = `,${JSON.stringify(last).slice(1)}`;
  return body.endsWith(ending, end + 1) ? end + 2 - ending.length : undefined;
}
