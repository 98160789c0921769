// A word of a rebuilt command: the values it has, and how it is printed. A word whose value isn't known before it runs
// is printed as the rebuilt substitutions it consists of.
import type { Word, WordPart } from "unbash";
import { NotRebuilt, type Rebuilding } from "./rebuild-state.ts";
import type { KnownWord } from "./rule-match.ts";
import { isPlainArithmetic, wordValue } from "./shell-word.ts";

interface RebuiltWord {
  /** null for a value that isn't known before it runs. */
  readonly values: readonly KnownWord[];
  readonly texts: readonly string[];
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function rebuildWord(word: Word, state: Rebuilding): RebuiltWord {
  const [part, ...more] = word.parts ?? [];
  if (part?.type === "ProcessSubstitution" && part.operator === "<" && more.length === 0) {
    if (part.script === undefined) throw new NotRebuilt("it can't be parsed");
    // The shell substitutes a path of this form.
    return { values: ["/dev/fd/63"], texts: [`<( ${state.readScript(part.script, state)} )`] };
  }
  // An escape may stand for a byte that isn't UTF-8.
  if (word.parts?.some((each) => each.type === "AnsiCQuoted" && /[^\t\n -~]/.test(each.value)))
    throw new NotRebuilt("it contains escaped bytes");
  const value = word.parts?.some(({ type }) => type === "ProcessSubstitution")
    ? null
    : wordValue(word, { ...state, folders: new Set([state.place.path]) });
  if (value?.known === true) return { values: value.values, texts: value.values.map(quote) };
  return { values: [null], texts: [rebuildParts(word.parts ?? [], state)] };
}

/** The one value of a word. */
export function rebuildKnownWord(word: Word, state: Rebuilding): string {
  const { values } = rebuildWord(word, state);
  const [value] = values;
  if (typeof value !== "string" || values.length !== 1) throw new NotRebuilt(`${word.text} isn't known`);
  return value;
}

/** Parts that are put together, with at least one whose value isn't known. */
export function rebuildParts(parts: readonly WordPart[], state: Rebuilding, quoted = false): string {
  return parts.map((part) => rebuildPart(part, state, quoted)).join("");
}

function rebuildPart(part: WordPart, state: Rebuilding, quoted: boolean): string {
  switch (part.type) {
    case "Literal":
      // Bash expands a tilde at the beginning of a word.
      if (!quoted && /^~|[=:]~/.test(part.text)) throw new NotRebuilt(`${part.text} isn't known`);
      return quote(part.value);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return quote(part.value);
    case "DoubleQuoted":
      // Without a part, the quotes still make a word.
      return rebuildParts(part.parts, state, true) || "''";
    case "CommandExpansion": {
      if (part.script === undefined) throw new NotRebuilt("it can't be parsed");
      const inner = `$( ${state.readScript(part.script, state)} )`;
      return quoted ? `"${inner}"` : inner;
    }
    case "ArithmeticExpansion":
      if (!isPlainArithmetic(part.text)) throw new NotRebuilt("it calculates with variables");
      return part.text;
    case "SimpleExpansion":
    case "ParameterExpansion": {
      if (part.text === "$?") return '"$?"';
      const whole = quoted ? { type: "DoubleQuoted" as const, ...ends(part), parts: [part] } : part;
      const word: Word = { type: "Word", ...ends(part), value: part.text, parts: [whole] };
      return quote(rebuildVariable(word, state));
    }
    default:
      throw new NotRebuilt(`it computes ${part.text}`);
  }
}

function ends({ text, pos, end }: WordPart) {
  return { text, pos, end };
}

function rebuildVariable(word: Word, state: Rebuilding): string {
  const value = wordValue(word, { ...state, folders: new Set([state.place.path]) });
  const [first] = value.known ? value.values : [];
  if (first === undefined) throw new NotRebuilt(`it would show ${word.text}`);
  return first;
}
