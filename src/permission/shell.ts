// Reads a shell command with a real parser and lists every simple command in it, wherever it hides: pipelines,
// lists, subshells, substitutions, here-documents, `sh -c`, wrappers. What isn't understood is listed as a doubt.

import { isAbsolute, join } from "node:path";
import {
  type Assignment,
  type Command,
  forEachChild,
  type ParameterExpansionPart,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
} from "unbash";
import { realPath } from "./real-path.ts";
import type { KnownWord } from "./rule-match.ts";
import { hasControlCharacter } from "./rules.ts";
import { isPlainArithmetic, type WordScope, wordValue } from "./shell-word.ts";
import { unwrap } from "./shell-wrapper.ts";

export interface ShellReading {
  readonly commands: readonly ShellCommand[];
  /** Why a part of it can't be told before it runs. */
  readonly doubts: readonly string[];
}

export interface ShellCommand {
  /** As it was written. */
  readonly text: string;
  /** name and arguments; null where a word isn't known. */
  readonly words: readonly KnownWord[];
  /** Every unknown word is at least no secret. */
  readonly plain: boolean;
  /** Where it may run. */
  readonly folders: ReadonlySet<string>;
  readonly redirects: readonly RedirectUse[];
  /** It only starts another command that is listed too, and does nothing besides. */
  readonly transparent: boolean;
  /** Found inside another command's arguments (sudo, xargs, find -exec). */
  readonly wrapped: boolean;
}

export interface RedirectUse {
  readonly access: "read" | "write";
  /** null: not known before it runs. */
  readonly target: string | null;
}

interface Progress {
  readonly home: string;
  readonly disk: WordScope["disk"];
  folders: ReadonlySet<string>;
  readonly commands: ShellCommand[];
  readonly doubts: string[];
  /** In a loop, what comes later in the text may run before. */
  loops: number;
  depth: number;
}

const MAX_COMMAND_CHARACTERS = 20_000;
const MAX_DEPTH = 8;
const MAX_FOLDERS = 8;

export function readShell(command: string, scope: WordScope): ShellReading {
  const progress: Progress = { ...scope, commands: [], doubts: [], loops: 0, depth: 0 };
  readScriptText(command, progress);
  return { commands: progress.commands, doubts: [...new Set(progress.doubts)] };
}

function readScriptText(text: string, progress: Progress): void {
  if (progress.depth >= MAX_DEPTH || text.length > MAX_COMMAND_CHARACTERS) {
    doubt(progress, "it is too long or nested too deeply to be read");
    return;
  }
  // A terminal and a shell disagree about what these look like.
  if (hasControlCharacter(text.replace(/[\n\t]/g, "")) || /[^\S\n\t ]/.test(text)) {
    doubt(progress, "it holds control characters or unusual blanks");
  }
  progress.depth++;
  readScript(parse(text), progress);
  progress.depth--;
}

function readScript(script: ParsedScript, progress: Progress): void {
  const [error] = script.errors ?? [];
  if (error !== undefined) doubt(progress, `it can't be parsed (${error.message})`);
  for (const statement of script.commands) readNode(statement, progress);
}

function readNode(node: SyntaxNode, progress: Progress): void {
  switch (node.type) {
    case "Script":
      readScript(node, progress);
      return;
    case "Command":
      readCommand(node, progress);
      return;
    case "Function":
      doubt(progress, "it defines a function");
      break;
    case "Coproc":
      doubt(progress, "it starts a background coprocess");
      break;
    case "Select":
      doubt(progress, "it waits for a choice");
      break;
    case "ArithmeticCommand":
      if (!isPlainArithmetic(node.body)) doubt(progress, "it calculates with variables");
      break;
    case "ArithmeticExpansion":
      if (!isPlainArithmetic(node.text)) doubt(progress, "it calculates with variables");
      break;
    case "ArithmeticFor":
      doubt(progress, "it calculates with variables");
      break;
    case "ParameterExpansion":
      if (!isPlainExpansion(node)) doubt(progress, `it computes ${node.text}`);
      break;
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      if (node.script === undefined) doubt(progress, "it can't be parsed");
      break;
    case "TestBinary":
      if (/^-[a-z]{2}$/.test(node.operator)) readNumbers([node.left, node.right], progress);
      break;
    case "TestUnary":
      // -v and -R evaluate an array index.
      if (!/^-[a-uw-zA-QS-Z]$/.test(node.operator)) doubt(progress, `it tests with ${node.operator}`);
      break;
    case "Redirect":
    case "HereString":
    case "HereDoc":
      readCompoundRedirect(node, progress);
      break;
    default:
  }
  const loop = node.type === "For" || node.type === "While";
  if (loop) progress.loops++;
  forEachChild(node, (child) => readNode(child, progress));
  if (loop) progress.loops--;
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

function readNumbers(words: readonly Word[], progress: Progress): void {
  if (!words.every((word) => /^-?\d+$/.test(word.text))) doubt(progress, "it calculates with variables");
}

function readCommand(command: Command, progress: Progress): void {
  for (const part of command.prefix) if (part.type === "Assignment") readAssignment(part, progress);
  for (const part of [...command.prefix, command.name, ...command.suffix])
    if (part !== undefined) forEachChild(part, (child) => readNode(child, progress));
  const words: KnownWord[] = [];
  let plain = true;
  for (const word of command.name === undefined ? [] : [command.name, ...command.args]) {
    // `export X=1` and its kin: an assignment among the arguments.
    const value =
      word.type === "Word" ? wordValue(word, progress) : ({ known: false, plain: false } as const);
    if (value.known) words.push(...value.values);
    else {
      words.push(null);
      plain &&= value.plain;
    }
  }
  const text = [...command.prefix, command.name, ...command.suffix]
    .flatMap((part) => (part?.type === "Word" || part?.type === "Assignment" ? [part.text] : []))
    .join(" ");
  const redirects = command.redirects.flatMap((redirect) => redirectUse(redirect, progress));
  addCommand({ text, words, plain, redirects, wrapped: false }, progress);
  if (SHELLS.has(words[0] ?? "")) readShellInput(command, words, progress);
}

function addCommand(
  command: Pick<ShellCommand, "text" | "words" | "plain" | "redirects" | "wrapped">,
  progress: Progress,
): void {
  const { words } = command;
  const { folders } = progress;
  if (words.length === 0) {
    // Only assignments or redirects.
    if (command.redirects.length > 0) progress.commands.push({ ...command, folders, transparent: true });
    return;
  }
  if (words[0] === null) doubt(progress, "the name of a command isn't known before it runs");
  const inner = unwrap(words);
  progress.commands.push({ ...command, folders, transparent: inner?.transparent ?? false });
  if (words[0] === "cd") changeFolder(words, progress);
  if (inner === null) return;
  if (inner.doubt !== undefined) doubt(progress, inner.doubt);
  if (inner.script !== undefined) readScriptText(inner.script, progress);
  for (const innerWords of inner.commands ?? []) {
    progress.depth++;
    if (progress.depth > MAX_DEPTH) doubt(progress, "it is nested too deeply");
    else
      addCommand(
        { ...command, text: shownWords(innerWords), words: innerWords, redirects: [], wrapped: true },
        progress,
      );
    progress.depth--;
  }
}

/** Variables that only change how something looks. Any other may change which program runs. */
const HARMLESS_VARIABLES =
  /^(LANG|LC_[A-Z]+|NO_COLOR|FORCE_COLOR|CLICOLOR|CI|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE|PYTHONUNBUFFERED)$/;

export function isHarmlessVariable(name: string): boolean {
  return HARMLESS_VARIABLES.test(name);
}

function readAssignment(assignment: Assignment, progress: Progress): void {
  const { name, value } = assignment;
  const plain = value.type === "Word" && /^[\w.@-]*$/.test(value.text);
  if (!plain || !isHarmlessVariable(name)) doubt(progress, `it sets the variable ${name}`);
}

function readCompoundRedirect(redirect: Redirection, progress: Progress): void {
  const redirects = redirectUse(redirect, progress);
  if (redirects.length === 0) return;
  progress.commands.push({
    text: "",
    words: [],
    plain: true,
    folders: progress.folders,
    redirects,
    transparent: true,
    wrapped: false,
  });
}

function redirectUse(redirect: Redirection, progress: Progress): readonly RedirectUse[] {
  if (redirect.type !== "Redirect") return [];
  const { operator, target } = redirect;
  // `>&2`, `<&-`: another descriptor, not a file.
  if (/^[<>]&$/.test(operator) && /^(\d+-?|-)$/.test(target?.text ?? "")) return [];
  const value = target === undefined ? null : wordValue(target, progress);
  const access = operator === "<" || operator === "<&" ? "read" : "write";
  const paths = value?.known === true && value.values.length > 0 ? value.values : [null];
  return paths.map((path) => ({ access, target: path }));
}

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "/bin/sh", "/bin/bash"]);

/** A shell fed by a here-document runs what it says. */
function readShellInput(command: Command, words: readonly KnownWord[], progress: Progress): void {
  if (words.slice(1).some((word) => word === null || /^-[a-z]*c/.test(word))) return;
  for (const redirect of command.redirects) {
    if (redirect.type === "HereDoc") readScriptText(redirect.body.text, progress);
    if (redirect.type === "HereString" && redirect.target !== undefined)
      readScriptText(redirect.target.value, progress);
  }
}

/** The set only grows: a `cd` may fail, or happen in a subshell. */
function changeFolder(words: readonly KnownWord[], progress: Progress): void {
  const target = words[1];
  if (
    words.length !== 2 ||
    target === undefined ||
    target === null ||
    /^-|^$/.test(target) ||
    progress.loops > 0
  ) {
    doubt(progress, "it changes to a folder that isn't known before it runs");
    return;
  }
  const reached = [...progress.folders].flatMap((folder) => {
    const path = isAbsolute(target) ? target : `${folder}/${target}`;
    // The shell folds `..` away before it looks, unless told otherwise.
    return [join(path), realPath(path, progress.disk) ?? join(path)];
  });
  progress.folders = new Set([...progress.folders, ...reached]);
  if (progress.folders.size > MAX_FOLDERS) doubt(progress, "it changes folders too often");
}

function shownWords(words: readonly KnownWord[]): string {
  return words.map((word) => word ?? "...").join(" ");
}

function doubt(progress: Progress, why: string): void {
  progress.doubts.push(why);
}
