// Reads a shell command with a real parser and lists every simple command in it, wherever it hides: pipelines,
// lists, subshells, substitutions, here-documents, `sh -c`, wrappers. What isn't understood is listed as a doubt.
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
import type { KnownWord } from "./rule-match.ts";
import { hasControlCharacter } from "./rules.ts";
import {
  addCommand,
  doubt,
  MAX_DEPTH,
  type ReadingProgress,
  readAssignment,
  redirectUse,
  type ShellCommand,
} from "./shell-command.ts";
import { isPlainArithmetic, isPlainText, type WordScope, wordValue } from "./shell-word.ts";
import { isShell } from "./shell-wrapper.ts";

export interface ShellReading {
  readonly commands: readonly ShellCommand[];
  /** Why a part of it can't be told before it runs. */
  readonly doubts: readonly string[];
}

const MAX_COMMAND_CHARACTERS = 20_000;

export function readShell(command: string, scope: WordScope): ShellReading {
  const progress: ReadingProgress = { ...scope, commands: [], doubts: [], source: "", loops: 0, depth: 0 };
  readText(command, progress);
  return { commands: progress.commands, doubts: [...new Set(progress.doubts)] };
}

function readText(text: string, progress: ReadingProgress): void {
  if (progress.depth >= MAX_DEPTH || text.length > MAX_COMMAND_CHARACTERS) {
    doubt(progress, "it is too long or nested too deeply to be read");
    return;
  }
  // A terminal and a shell disagree about what these look like.
  if (hasControlCharacter(text.replace(/[\n\t]/g, "")) || /[^\S\n\t ]/.test(text))
    doubt(progress, "it holds control characters or unusual blanks");
  progress.depth++;
  readScript({ ...parse(text), source: text }, progress);
  progress.depth--;
}

function readScript(script: ParsedScript, progress: ReadingProgress): void {
  const [error] = script.errors ?? [];
  if (error !== undefined) doubt(progress, `it can't be parsed (${error.message})`);
  const outer = progress.source;
  progress.source = script.source ?? outer;
  for (const statement of script.commands) readNode(statement, progress);
  progress.source = outer;
}

function readNode(node: SyntaxNode, progress: ReadingProgress): void {
  if (node.type === "Script") {
    readScript(node, progress);
    return;
  }
  if (node.type === "Command") {
    readCommand(node, progress);
    return;
  }
  const why = doubtOf(node);
  if (why !== null) doubt(progress, why);
  if (node.type === "Redirect" || node.type === "HereDoc" || node.type === "HereString") {
    // Of a compound command; a simple command's own are read with it.
    if (!isPlainInput(node)) doubt(progress, "its input may hold a secret");
    const redirects = redirectUse(node, progress);
    addCommand({ text: "", words: [], plain: true, redirects }, progress, () => {});
  }
  const loop = node.type === "For" || node.type === "While";
  if (loop) progress.loops++;
  forEachChild(node, (child) => readNode(child, progress));
  if (loop) progress.loops--;
}

/** What is wrong with this piece of syntax itself, whatever it holds. */
function doubtOf(node: SyntaxNode): string | null {
  switch (node.type) {
    case "Function":
      return "it defines a function";
    case "Coproc":
      return "it starts a background coprocess";
    case "Select":
      return "it waits for a choice";
    case "ArithmeticFor":
      return "it calculates with variables";
    case "ArithmeticCommand":
      return isPlainArithmetic(node.body) ? null : "it calculates with variables";
    case "ArithmeticExpansion":
      return isPlainArithmetic(node.text) ? null : "it calculates with variables";
    case "ParameterExpansion":
      return isPlainExpansion(node) ? null : `it computes ${node.text}`;
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return node.script === undefined ? "it can't be parsed" : null;
    case "TestBinary":
      return /^-[a-z]{2}$/.test(node.operator) && !areNumbers(node.left, node.right)
        ? "it calculates with variables"
        : null;
    case "TestUnary":
      // -v and -R evaluate an array index.
      return /^-[a-uw-zA-QS-Z]$/.test(node.operator) ? null : `it tests with ${node.operator}`;
    default:
      return null;
  }
}

/** `${x@P}`, `${!x}` and an index or a slice evaluate what a variable holds; `${x=y}` sets one. */
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

function readCommand(command: Command, progress: ReadingProgress): void {
  const parts = [...command.prefix, ...(command.name === undefined ? [] : [command.name]), ...command.suffix];
  if (!isWhole(parts, command, progress.source)) doubt(progress, "it can't be parsed");
  for (const part of parts) {
    if (part.type === "Assignment") readAssignment(part, progress);
    forEachChild(part, (child) => readNode(child, progress));
  }
  const words: KnownWord[] = [];
  let plain = true;
  for (const word of command.name === undefined ? [] : [command.name, ...command.args]) {
    const value = word.type === "Word" ? wordValue(word, progress) : NOT_KNOWN;
    if (value.known) words.push(...value.values);
    else words.push(null);
    plain &&= value.known || value.plain;
  }
  const shown = parts.flatMap((part) =>
    part.type === "Word" || part.type === "Assignment" ? [part.text] : [],
  );
  plain &&= command.redirects.every(isPlainInput);
  const redirects = command.redirects.flatMap((redirect) => redirectUse(redirect, progress));
  addCommand({ text: shown.join(" "), words, plain, redirects }, progress, (text) =>
    readText(text, progress),
  );
  if (isShell(words[0] ?? "")) readShellInput(command, words, progress);
}

/** What a here-document or here-string would show: no variable that may hold a secret. */
function isPlainInput(redirect: Redirection): boolean {
  if (redirect.type === "HereDoc") return isPlainText(redirect.body.parts);
  return redirect.type !== "HereString" || isPlainText(redirect.target?.parts);
}

/** `export X=1` and its kin: an assignment among the arguments. */
const NOT_KNOWN = { known: false, plain: false } as const;

/** The parser forgives what bash doesn't, an opening bracket after a name for one; then something lies between. */
function isWhole(parts: readonly SyntaxNode[], command: Command, source: string): boolean {
  let end = command.pos;
  for (const part of parts) {
    if (!/^(?:[ \t]|\\\n)*$/.test(source.slice(end, part.pos))) return false;
    end = part.end;
  }
  return !/^[ \t]*\(/.test(source.slice(end));
}

/** A shell fed by a here-document runs what it says. */
function readShellInput(command: Command, words: readonly KnownWord[], progress: ReadingProgress): void {
  if (words.slice(1).some((word) => word === null || /^-[a-z]*c/.test(word))) return;
  for (const redirect of command.redirects) {
    if (redirect.type === "HereDoc") readText(redirect.body.text, progress);
    if (redirect.type === "HereString" && redirect.target !== undefined)
      readText(redirect.target.value, progress);
  }
}
