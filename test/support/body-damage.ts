// Damages a body as text, in ways that JSON.stringify never would: signs lost or added, fields that stand there twice,
// another list opened in the midst of the conversation, halves of characters.
import type { Random } from "./random.ts";

/** The same damage can be done to a longer body that begins alike. list: the field of the conversation. */
export function damageText(text: string, list: string, random: Random): (text: string) => string {
  const at = random.pick([somewhere, atSign, atSign, betweenMessages, betweenMessages])(text, random);
  const sign = random.pick(SIGNS);
  const opening = random.pick([`"${list}"`, '"tools"', '"model"', '"0"', '"x"', '"__proto__"']);
  const field = `${opening}:${random.pick(['""', "[]", "[{}]", '[{"role":"user","content":"x"}]'])}`;
  return random.pick([
    (body) => body.slice(0, at) + body.slice(at + 1),
    (body) => body.slice(0, at) + sign + body.slice(at),
    (body) => body.slice(0, at + 1) + sign + body.slice(at + 1),
    (body) => body.slice(0, at + 1) + random.pick(["null,", "{},", "1,"]) + body.slice(at + 1),
    // Only a comma is replaced, so that what follows are the entries of another list.
    (body) => (body[at] === "," ? `${body.slice(0, at)}],${opening}:[${body.slice(at + 1)}` : body),
    (body) => (body[at] === "," ? `${body.slice(0, at)}],${opening}:[${body.slice(at + 1)}` : body),
    (body) => `${body.slice(0, -1)},${field}}`,
    (body) => `{${field},${body.slice(1)}`,
    (body) => body.slice(0, at),
    (body) => `${body.slice(0, at)}${escaped(body.slice(at, at + 1))}${body.slice(at + 1)}`,
  ] satisfies ((body: string) => string)[]);
}

const SIGNS = [",", " ", "]", "[", "}", "{", '"', "\\", "1", "\ud83d", "\\ud83d", "\\uD83D", "\\\\ud83d"];

function somewhere(text: string, random: Random): number {
  return random.below(text.length);
}

function atSign(text: string, random: Random): number {
  return indexFrom(text, /[[\]{},:"]/g, random);
}

function betweenMessages(text: string, random: Random): number {
  return indexFrom(text, /,(?=\{"(?:role|type|parts)")/g, random);
}

/** The first match after some place, or the place. */
function indexFrom(text: string, pattern: RegExp, random: Random): number {
  const from = somewhere(text, random);
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? from;
}

/** As an escape, which means the same. */
function escaped(character: string): string {
  return character === "" ? "" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
