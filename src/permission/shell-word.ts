// What a word of a shell command expands to: a list of strings, or unknown before it runs.
import type { ParsedScript, Word, WordPart } from "unbash";
import { expandGlob, type GlobGround, literalText } from "./shell-glob.ts";

export interface WordScope extends GlobGround {
  readonly home: string;
  /** The folders the command may run in. There may be several, because an earlier `cd` may have failed. */
  readonly folders: ReadonlySet<string>;
  /** Variables whose values are known, besides HOME and PWD. */
  readonly variables?: ReadonlyMap<string, string>;
}

type WordValue =
  /** More than one if braces or wildcards expand the word into several. */
  | { readonly known: true; readonly values: readonly string[] }
  /** `plain` means that nothing in it can be a secret, so printing it is harmless. */
  | { readonly known: false; readonly plain: boolean };

/** A word that expands to more values than this is treated as unknown. */
const MAX_VALUES = 500;
const UNKNOWN: WordValue = { known: false, plain: false };
const PLAIN: WordValue = { known: false, plain: true };

/** Their values aren't secret, but change too often to be worth expanding. */
const PLAIN_VARIABLES = new Set(
  "? # $ ! _ OLDPWD PATH USER LOGNAME SHELL LANG TERM HOSTNAME UID EUID PPID RANDOM SECONDS".split(" "),
);

export function wordValue(word: Word, scope: WordScope): WordValue {
  const parts: readonly WordPart[] = word.parts ?? [
    { type: "Literal", value: word.value, text: word.text, pos: word.pos, end: word.end },
  ];
  // Every literal character is escaped with a backslash until the pattern is expanded.
  let patterns: readonly string[] = [""];
  let wild = false;
  for (const part of parts) {
    const pieces = partPatterns(part, scope);
    if (pieces === null) return plainness(parts);
    wild ||= part.type === "Glob";
    patterns = patterns.flatMap((before) => pieces.map((piece) => before + piece));
    if (patterns.length > MAX_VALUES) return UNKNOWN;
  }
  if (word.text.startsWith("~")) {
    if (!patterns.every((pattern) => pattern === "\\~" || pattern.startsWith("\\~/"))) return UNKNOWN;
    patterns = patterns.map((pattern) => escapePattern(scope.home) + pattern.slice(2));
  } else if (/[=:]~/.test(word.text)) {
    // Bash expands a tilde here if the word looks like an assignment.
    return UNKNOWN;
  }
  if (!wild) return { known: true, values: patterns.map(literalText) };
  const values: string[] = [];
  for (const pattern of patterns) {
    const expanded = expandIn(pattern, scope);
    if (expanded === null) return UNKNOWN;
    values.push(...expanded);
    if (values.length > MAX_VALUES) return UNKNOWN;
  }
  return { known: true, values };
}

/** Escaped patterns, or null if the part is unknown. */
function partPatterns(part: WordPart, scope: WordScope, quoted = false): readonly string[] | null {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [escapePattern(part.value)];
    case "DoubleQuoted": {
      let texts: readonly string[] = [""];
      for (const child of part.parts) {
        const pieces = partPatterns(child, scope, true);
        if (pieces === null) return null;
        texts = texts.flatMap((before) => pieces.map((piece) => before + piece));
      }
      return texts;
    }
    case "Glob":
      if (part.kind !== "bracket") return [part.text];
      return /^\[!?[\w.-]+\]$/.test(part.text) ? [part.text.replace("[!", "[^")] : null;
    case "BraceExpansion":
      return /^\{[\w./-]*(,[\w./-]*)+\}$/.test(part.text)
        ? part.text.slice(1, -1).split(",").map(escapePattern)
        : null;
    case "SimpleExpansion":
      return variable(part.text.slice(1), scope, quoted);
    case "ParameterExpansion":
      return part.operation === undefined && part.prefix === undefined && part.index === undefined
        ? variable(part.parameter, scope, quoted)
        : null;
    case "CommandExpansion": {
      const text = quoted ? writtenText(part.script) : null;
      return text === null ? null : [escapePattern(text)];
    }
    case "ProcessSubstitution":
      // The shell substitutes a path of this form.
      return part.operator === "<" ? [escapePattern("/dev/fd/63")] : null;
    default:
      return null;
  }
}

/** The text that `$(cat <<'END' ...)` stands for, which is how long messages are written; null for anything else. */
function writtenText(script: ParsedScript | undefined): string | null {
  const [statement, ...more] = script?.commands ?? [];
  const command = statement?.command;
  if (command?.type !== "Command" || more.length > 0 || statement?.background === true) return null;
  const [input, ...others] = command.redirects;
  const isCat = command.name?.text === "cat" && command.prefix.length === 0 && command.args.length === 0;
  if (!isCat || input?.type !== "HereDoc" || others.length > 0 || input.operator !== "<<") return null;
  if (input.delimiter?.quoted !== true || input.closing === undefined) return null;
  return input.body.text.replace(/\n+$/, "");
}

function variable(name: string, scope: WordScope, quoted: boolean): readonly string[] | null {
  const known = scope.variables?.get(name);
  const values =
    known !== undefined
      ? [known]
      : name === "HOME"
        ? [scope.home]
        : name === "PWD"
          ? [...scope.folders]
          : null;
  // Unquoted, a blank would split the word, and the other characters have a meaning in patterns.
  if (values === null || (!quoted && values.some((value) => /^$|[\s*?[\]\\~{}]/.test(value)))) return null;
  return values.map(escapePattern);
}

/** True if nothing in this text for the standard input can be a secret. */
export function isPlainText(parts: readonly WordPart[] | undefined): boolean {
  return parts === undefined || parts.every(isPlain);
}

function plainness(parts: readonly WordPart[]): WordValue {
  return parts.every(isPlain) ? PLAIN : UNKNOWN;
}

/** Commands inside a substitution are judged on their own, and their output would have been shown anyway. */
function isPlain(part: WordPart): boolean {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "CommandExpansion":
      return true;
    case "BraceExpansion":
    case "Glob":
      // The parser doesn't split these further, and they may contain a variable.
      return !/[$`]/.test(part.text);
    case "DoubleQuoted":
      return part.parts.every(isPlain);
    case "ArithmeticExpansion":
      return isPlainArithmetic(part.text);
    case "SimpleExpansion":
      return isPlainVariable(part.text.slice(1));
    case "ParameterExpansion":
      return part.operation === undefined && part.index === undefined && isPlainVariable(part.parameter);
    default:
      return false;
  }
}

function isPlainVariable(name: string): boolean {
  return PLAIN_VARIABLES.has(name) || name === "HOME" || name === "PWD";
}

/** False with a variable, because arithmetic evaluates its value, including commands in it. */
export function isPlainArithmetic(text: string): boolean {
  return /^\$?[([]*[\d\s+\-*/%()<>=!&|^~?:,[\]]*$/.test(text);
}

/** The files that match a pattern in any folder the command may run in; null if they aren't known. */
function expandIn(pattern: string, scope: WordScope): readonly string[] | null {
  const values = new Set<string>();
  for (const folder of scope.folders) {
    const found = expandGlob(pattern, folder, scope);
    if (found === null) return null;
    for (const path of found) values.add(path);
  }
  // The shell leaves a pattern without a match unchanged.
  return values.size === 0 ? [literalText(pattern)] : [...values];
}

/** Marks every character except a slash as literal. */
function escapePattern(text: string): string {
  return text.replace(/[^/]/gsu, "\\$&");
}
