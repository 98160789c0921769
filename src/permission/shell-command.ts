// A simple command found in a shell command, the commands it starts in turn, and the folders it may run in.
import { isAbsolute, join } from "node:path";
import type { Assignment, HereDoc, Redirection } from "unbash";
import { realPath } from "../base/real-path.ts";
import type { Doubt } from "./act.ts";
import type { KnownWord } from "./rule-match.ts";
import { type WordScope, wordValue } from "./shell-word.ts";
import { unwrap } from "./shell-wrapper.ts";

export interface ShellCommand {
  /** The source text. */
  readonly text: string;
  /** Name and arguments; null for an unknown word. Empty if there are only redirections. */
  readonly words: readonly KnownWord[];
  /** No unknown word and no part of its input can be a secret. */
  readonly plain: boolean;
  /** The text of its here-documents and here-strings. */
  readonly input: string;
  /** The folders it may run in. */
  readonly folders: ReadonlySet<string>;
  readonly redirects: readonly RedirectUse[];
  /** It does nothing except start another command, which is listed, too. */
  readonly transparent: boolean;
}

export interface RedirectUse {
  readonly access: "read" | "write";
  /** null if it isn't known before the command runs. */
  readonly target: string | null;
}

/** What was found so far; mutable while a command is read. */
export interface ReadingState extends WordScope {
  folders: ReadonlySet<string>;
  readonly commands: ShellCommand[];
  readonly doubts: Doubt[];
  /** The text that positions refer to. */
  source: string;
  /** The depth of loops. In a loop, later text may run before earlier text. */
  loops: number;
  depth: number;
  /** There are too many commands, so the rest isn't read. */
  isFull: boolean;
}

export const MAX_DEPTH = 5;
/** Each costs time to judge. */
const MAX_COMMANDS = 300;
const MAX_WORDS = 1_000;
const MAX_FOLDERS = 8;

/** `readScript` is called with a script that the command runs. */
export function addCommand(
  command: Pick<ShellCommand, "text" | "words" | "plain" | "input" | "redirects">,
  reading: ReadingState,
  readScript: (text: string) => void,
): void {
  const { words } = command;
  const { folders } = reading;
  if (reading.commands.length >= MAX_COMMANDS) {
    reading.isFull = true;
    doubt(reading, "it is too long or nested too deeply to be read");
    return;
  }
  if (words.length === 0) {
    if (command.redirects.length > 0) reading.commands.push({ ...command, folders, transparent: true });
    return;
  }
  if (words[0] === null) doubt(reading, "the name of a command isn't known before it runs");
  if (words.length > MAX_WORDS) doubt(reading, "it has too many words to be checked");
  const some = words.slice(0, MAX_WORDS);
  const inner = unwrap(some);
  reading.commands.push({ ...command, words: some, folders, transparent: inner?.transparent ?? false });
  if (CHANGES_FOLDER.test(words[0] ?? "")) changeFolder(words, reading);
  if (inner?.doubt !== undefined)
    reading.doubts.push({ why: inner.doubt, ...(inner.mild === true && { mild: true }) });
  if (inner?.script !== undefined) readScript(inner.script);
  for (const innerWords of inner?.commands ?? []) {
    reading.depth++;
    if (reading.depth > MAX_DEPTH) doubt(reading, "it is too long or nested too deeply to be read");
    else {
      const text = innerWords.map((word) => word ?? "...").join(" ");
      addCommand(
        { text, words: innerWords, plain: command.plain, input: command.input, redirects: [] },
        reading,
        readScript,
      );
    }
    reading.depth--;
  }
}

/** Something that runs nothing, but isn't harmless. */
export function addSecretChoice({ commands, folders }: ReadingState): void {
  commands.push({ text: "", words: [], plain: false, input: "", folders, redirects: [], transparent: true });
}

export function redirectUse(redirect: Redirection, reading: ReadingState): readonly RedirectUse[] {
  if (redirect.type === "HereDoc") readHereDocument(redirect, reading);
  if (redirect.descriptor?.type === "FileDescriptorVariable") doubt(reading, "it sets a variable");
  if (redirect.type !== "Redirect") return [];
  const { operator, target } = redirect;
  // `>&2` and `<&-` refer to a descriptor, not to a file.
  if (/^[<>]&$/.test(operator) && /^(\d+-?|-)$/.test(target?.text ?? "")) return [];
  const value = target === undefined ? null : wordValue(target, reading);
  const access = operator === "<" || operator === "<&" ? "read" : "write";
  const paths = value?.known === true && value.values.length > 0 ? value.values : [null];
  return paths.map((path) => ({ access, target: path }));
}

/** With a continued line, bash may see the end of the document where the parser doesn't. */
function readHereDocument({ closing, delimiter, body }: HereDoc, reading: ReadingState): void {
  if (closing === undefined) doubt(reading, "a here-document never ends");
  if (delimiter?.quoted !== true && body.text.includes("\\\n")) doubt(reading, "a here-document joins lines");
}

/** Variables that only affect how output looks. Any other may affect which program runs. */
const HARMLESS_VARIABLES =
  /^(LANG|LC_[A-Z]+|NO_COLOR|FORCE_COLOR|CLICOLOR|CI|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE|PYTHONUNBUFFERED)$/;

/** The value is checked as well, because a locale can be a path. */
export function isHarmlessVariable(name: string, value: string): boolean {
  return HARMLESS_VARIABLES.test(name) && /^[\w.@-]*$/.test(value);
}

export function readAssignment({ name, value }: Assignment, reading: ReadingState): void {
  if (value.type !== "Word" || !isHarmlessVariable(name, value.text))
    reading.doubts.push(settingVariable(name));
}

/** By these, a path that was understood would become another one. */
const CHANGES_PATHS = /^(HOME|PWD|OLDPWD|CDPATH)$/;

export function settingVariable(name: string): Doubt {
  return { why: `it sets the variable ${name}`, ...(!CHANGES_PATHS.test(name) && { mild: true }) };
}

const CHANGES_FOLDER = /^(cd|pushd|popd)$/;

/** The set only grows: a `cd` may fail, or happen in a subshell. */
function changeFolder(words: readonly KnownWord[], reading: ReadingState): void {
  const target = words[1] ?? "";
  if (words.length !== 2 || /^[-+]|^$/.test(target) || reading.loops > 0) {
    doubt(reading, "it changes to a folder that isn't known before it runs");
    return;
  }
  const reached = [...reading.folders].flatMap((folder) => {
    const path = isAbsolute(target) ? target : `${folder}/${target}`;
    // By default the shell resolves `..` in the text, before it follows symlinks.
    return [join(path), realPath(path, reading.disk) ?? join(path)];
  });
  const folders = new Set([...reading.folders, ...reached]);
  if (folders.size > MAX_FOLDERS) doubt(reading, "it changes folders too often");
  else reading.folders = folders;
}

export function doubt(reading: ReadingState, why: string): void {
  reading.doubts.push({ why });
}
