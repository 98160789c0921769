// JSON written down with the damage that models do to it, one kind at a time or several together.
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/base/json.ts";

export const DAMAGES = [
  "trailing comma",
  "raw line breaks",
  "single quotes",
  "typographic quotes",
  "names without quotes",
  "Python's words",
  "comments",
  "escaped line breaks",
  "code fence",
  "surplus braces",
  "escaped as a text",
] as const;
export type Damage = (typeof DAMAGES)[number];

/** Texts with everything that quoting and escaping can get wrong. */
const text = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc.constantFrom('"', "'", "\\", "\n", "\t", "\r", "{", "}", ",", ":", "/", "*", "`", "a", "”", "é"),
  }),
  fc.constantFrom(
    "it's",
    'say "hi"',
    "C:\\new\\dir",
    "a\n\tb",
    "// no comment",
    "```",
    "True",
    "10",
    "</tool_call>",
  ),
);
const name = fc.oneof(fc.constantFrom("path", "limit", "new_text", "$ref", "a-b"), text);

export const jsonObject: fc.Arbitrary<JsonObject> = fc
  .letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
    object: fc.dictionary(name, tie("value"), { maxKeys: 4 }),
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.oneof(
        text,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie("value"), { maxLength: 3 }),
      tie("object"),
    ),
  }))
  .object.map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

export function damaged(value: JsonObject, damages: readonly Damage[]): string {
  const has = (damage: Damage) => damages.includes(damage);
  const written = write(value, has);
  const escaped = has("escaped as a text") ? JSON.stringify(written).slice(1, -1) : written;
  const surplus = has("surplus braces") ? `${escaped}}}` : escaped;
  return has("code fence") ? `\`\`\`json\n${surplus}\n\`\`\`\n` : surplus;
}

function write(value: JsonValue, has: (damage: Damage) => boolean): string {
  if (typeof value === "string") return quoted(value, has);
  if (typeof value === "boolean" && has("Python's words")) return value ? "True" : "False";
  if (value === null && has("Python's words")) return "None";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const items = Array.isArray(value)
    ? value.map((item) => write(item, has))
    : Object.entries(value).map(([key, item]) => `${writeName(key, has)}:${gap(has)}${write(item, has)}`);
  const last = has("trailing comma") && items.length > 0 ? "," : "";
  return `${open}${gap(has)}${items.join(`,${gap(has)}`)}${last}${gap(has)}${close}`;
}

function gap(has: (damage: Damage) => boolean): string {
  return ` ${has("comments") ? "/* } */ // ]\n" : ""}${has("escaped line breaks") ? "\\n\\t" : ""}`;
}

function writeName(key: string, has: (damage: Damage) => boolean): string {
  return has("names without quotes") && /^[A-Za-z_$][\w$-]*$/.test(key) ? key : quoted(key, has);
}

function quoted(text: string, has: (damage: Damage) => boolean): string {
  const [open = "", close = ""] = has("single quotes") ? "''" : has("typographic quotes") ? "“”" : '""';
  const written = text.replace(/[\\"'”\p{Cc}\p{Cs}]/gu, (character) => {
    if (character === close || character === "\\") return `\\${character}`;
    if (/["'”]/.test(character) || (has("raw line breaks") && /\s/.test(character))) return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${open}${written}${close}`;
}
