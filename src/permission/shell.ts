// Parses a shell command and lists every simple command in it, including those in pipelines, lists, subshells,
// substitutions, here-documents, `sh -c` and wrappers. Whatever isn't understood is listed as a doubt.
import {
  type Command,
  forEachChild,
  type ParameterExpansionPart,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
} from "unbash";
import type { Doubt } from "./act.ts";
import type { KnownWord } from "./rule-match.ts";
import { hasControlCharacter } from "./rules.ts";
import {
  addCommand,
  addSecretChoice,
  doubt,
  MAX_DEPTH,
  type ReadingState,
  readAssignment,
  redirectUse,
  type ShellCommand,
  settingVariable,
} from "./shell-command.ts";
import { isPlainArithmetic, isPlainText, type WordScope, wordValue } from "./shell-word.ts";
import { isShell } from "./shell-wrapper.ts";

interface ShellReading {
  readonly commands: readonly ShellCommand[];
  readonly doubts: readonly Doubt[];
}

const MAX_COMMAND_CHARACTERS = 20_000;
/** What the parser takes long over, and how many of each it is given. */
const COSTLY: readonly (readonly [pattern: RegExp, most: number])[] = [
  [/[$<>]\(/, 200],
  [/\$\{/, 1_000],
  [/[;|&]/, 2_000],
];

/** Reading it would take too long. */
export function isTooLong(text: string, depth: number): boolean {
  if (depth >= MAX_DEPTH || text.length > MAX_COMMAND_CHARACTERS) return true;
  return COSTLY.some(([pattern, most]) => text.split(pattern, most + 2).length > most + 1);
}

export function readShell(command: string, scope: WordScope): ShellReading {
  const reading: ReadingState = {
    ...scope,
    commands: [],
    doubts: [],
    source: "",
    loops: 0,
    depth: 0,
    isFull: false,
  };
  readText(command, reading);
  const doubts = new Map(reading.doubts.map((each) => [each.why, each]));
  return { commands: reading.commands, doubts: [...doubts.values()] };
}

function readText(text: string, reading: ReadingState): void {
  if (isTooLong(text, reading.depth)) {
    doubt(reading, "it is too long or nested too deeply to be read");
    return;
  }
  // A terminal may show these differently from how a shell reads them.
  if (hasControlCharacter(text.replace(/[\n\t]/g, "")) || /[^\S\n\t ]/.test(text))
    doubt(reading, "it contains control characters or unusual blanks");
  reading.depth++;
  readScript({ ...parse(text), source: text }, reading);
  reading.depth--;
}

function readScript(script: ParsedScript, reading: ReadingState): void {
  const [error] = script.errors ?? [];
  if (error !== undefined) doubt(reading, `it can't be parsed (${error.message})`);
  const outer = reading.source;
  reading.source = script.source ?? outer;
  for (const statement of script.commands) {
    readNode(statement, reading);
    if (reading.isFull) break;
  }
  reading.source = outer;
}

function readNode(node: SyntaxNode, reading: ReadingState): void {
  if (node.type === "Script") {
    readScript(node, reading);
    return;
  }
  if (node.type === "Command") {
    readCommand(node, reading);
    return;
  }
  const doubtful = doubtOf(node);
  if (doubtful !== null) reading.doubts.push(doubtful);
  if (!decidedPlainly(node)) addSecretChoice(reading);
  if (node.type === "Redirect" || node.type === "HereDoc" || node.type === "HereString") {
    // Only a compound command's redirections get here. Those of a simple command are read with the command.
    if (!isPlainInput(node)) doubt(reading, "its input may hold a secret");
    const redirects = redirectUse(node, reading);
    addCommand({ text: "", words: [], plain: true, input: "", redirects }, reading, () => {});
  }
  const loop = node.type === "For" || node.type === "While";
  if (loop) reading.loops++;
  forEachChild(node, (child) => readNode(child, reading));
  if (loop) reading.loops--;
}

/** False if what runs depends on a variable that may hold a secret: whatever runs then tells something about it. */
function decidedPlainly(node: SyntaxNode): boolean {
  switch (node.type) {
    case "Case":
      return isPlainText(node.word.parts);
    case "For":
      return (node.wordlist ?? []).every((word) => isPlainText(word.parts));
    case "TestUnary":
      return isPlainText(node.operand.parts);
    case "TestBinary":
      return isPlainText(node.left.parts) && isPlainText(node.right.parts);
    default:
      return true;
  }
}

/** Why this piece of syntax is doubtful in itself, regardless of its content. */
function doubtOf(node: SyntaxNode): Doubt | null {
  switch (node.type) {
    case "For":
      return LOOP_VARIABLE.test(node.name.text) ? null : settingVariable(node.name.text);
    case "Function":
      return { why: "it defines a function", mild: true };
    case "Coproc":
      return { why: "it starts a background coprocess" };
    case "Select":
      return { why: "it waits for a choice" };
    case "ArithmeticFor":
      return CALCULATES;
    case "ArithmeticCommand":
      return isPlainArithmetic(node.body) ? null : CALCULATES;
    case "ArithmeticExpansion":
      return isPlainArithmetic(node.text) ? null : CALCULATES;
    case "ParameterExpansion":
      return isPlainExpansion(node) ? null : computing(node);
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return node.script === undefined ? { why: "it can't be parsed" } : null;
    case "TestBinary":
      return /^-[a-z]{2}$/.test(node.operator) && !areNumbers(node.left, node.right) ? CALCULATES : null;
    case "TestUnary":
      // -v and -R evaluate an array index.
      return /^-[a-uw-zA-QS-Z]$/.test(node.operator) ? null : { why: `it tests with ${node.operator}` };
    default:
      return null;
  }
}

const CALCULATES: Doubt = { why: "it calculates with variables", mild: true };

/** `${x@P}` and `${!x}` take a value for code, or for another name. */
function computing({ text, operation, prefix }: ParameterExpansionPart): Doubt {
  const isCode = prefix === "!" || operation?.type === "Transform" || text.includes("@P");
  return { why: `it computes ${text}`, ...(!isCode && { mild: true }) };
}

/** A name that no program looks at. Others may affect which program runs, or hide the value of another one. */
const LOOP_VARIABLE = /^[a-z][a-z0-9]{0,11}$/;

/** `${x@P}`, `${!x}`, an index and a slice evaluate a variable's value, and `${x=y}` sets one. None of them is plain. */
function isPlainExpansion({ operation, prefix, index }: ParameterExpansionPart): boolean {
  if (prefix === "!" || index !== undefined) return false;
  switch (operation?.type) {
    case undefined:
    case "Remove":
    case "Replace":
    case "CaseModification":
      return true;
    case "Default":
      return !operation.operator.endsWith("=");
    default:
      return false;
  }
}

function areNumbers(...words: readonly Word[]): boolean {
  return words.every((word) => /^-?\d+$/.test(word.text) || /^-(nt|ot|ef)$/.test(word.text));
}

function readCommand(command: Command, reading: ReadingState): void {
  const parts = [...command.prefix, ...(command.name === undefined ? [] : [command.name]), ...command.suffix];
  if (!isWhole(parts, command, reading.source)) doubt(reading, "it can't be parsed");
  for (const part of parts) {
    if (part.type === "Assignment") readAssignment(part, reading);
    forEachChild(part, (child) => readNode(child, reading));
  }
  const words: KnownWord[] = [];
  let plain = true;
  for (const word of command.name === undefined ? [] : [command.name, ...command.args]) {
    const value = word.type === "Word" ? wordValue(word, reading) : NOT_KNOWN;
    if (value.known) words.push(...value.values);
    else words.push(null);
    plain &&= value.known || value.plain;
  }
  const shown = parts.flatMap((part) =>
    part.type === "Word" || part.type === "Assignment" ? [part.text] : [],
  );
  plain &&= command.redirects.every(isPlainInput);
  const redirects = command.redirects.flatMap((redirect) => redirectUse(redirect, reading));
  const input = command.redirects.map(inputText).filter(Boolean).join("\n");
  const found = { text: shown.join(" "), words, plain, input, redirects };
  addCommand(found, reading, (text) => readText(text, reading));
  if (isShell(words[0] ?? "")) readShellInput(command, words, reading);
}

function inputText(redirect: Redirection): string {
  if (redirect.type === "HereDoc") return redirect.body.text;
  return redirect.type === "HereString" ? (redirect.target?.text ?? "") : "";
}

/** True if a here-document or here-string contains no variable that may hold a secret. */
function isPlainInput(redirect: Redirection): boolean {
  if (redirect.type === "HereDoc") return isPlainText(redirect.body.parts);
  return redirect.type !== "HereString" || isPlainText(redirect.target?.parts);
}

/** The value of an assignment among the arguments, as in `export X=1`. */
const NOT_KNOWN = { known: false, plain: false } as const;

/** The parser skips some text that bash reads, such as a parenthesis after a name. True if no text was skipped. */
export function isWhole(parts: readonly SyntaxNode[], command: Command, source: string): boolean {
  let end = command.pos;
  for (const part of parts) {
    if (!/^(?:[ \t]|\\\n)*$/.test(source.slice(end, part.pos))) return false;
    end = part.end;
  }
  return !/^[ \t]*\(/.test(source.slice(end));
}

/** A shell runs the here-document that is its input. */
function readShellInput(command: Command, words: readonly KnownWord[], reading: ReadingState): void {
  if (words.slice(1).some((word) => word === null || /^-[a-z]*c/.test(word))) return;
  for (const redirect of command.redirects) {
    if (redirect.type === "HereDoc") readText(redirect.body.text, reading);
    if (redirect.type === "HereString" && redirect.target !== undefined)
      readText(redirect.target.value, reading);
  }
}
