// A simple command found in a shell command, what it starts in turn, and where it runs.
import { isAbsolute, join } from "node:path";
import type { Assignment, HereDoc, Redirection } from "unbash";
import { realPath } from "../base/real-path.ts";
import type { KnownWord } from "./rule-match.ts";
import { type WordScope, wordValue } from "./shell-word.ts";
import { unwrap } from "./shell-wrapper.ts";

export interface ShellCommand {
  /** As it was written. */
  readonly text: string;
  /** Name and arguments; null where a word isn't known. Empty where there are only redirects. */
  readonly words: readonly KnownWord[];
  /** Every unknown word, and what is fed to it, is at least no secret. */
  readonly plain: boolean;
  /** Where it may run. */
  readonly folders: ReadonlySet<string>;
  readonly redirects: readonly RedirectUse[];
  /** It only starts another command that is listed too, and does nothing besides. */
  readonly transparent: boolean;
}

export interface RedirectUse {
  readonly access: "read" | "write";
  /** null: not known before it runs. */
  readonly target: string | null;
}

/** What has been found so far; mutable while one command is read. */
export interface ReadingProgress extends WordScope {
  folders: ReadonlySet<string>;
  readonly commands: ShellCommand[];
  readonly doubts: string[];
  /** The text that positions refer to. */
  source: string;
  /** In a loop, what comes later in the text may run before. */
  loops: number;
  depth: number;
}

export const MAX_DEPTH = 8;
const MAX_FOLDERS = 8;

/** `readScript` reads a script that the command runs. */
export function addCommand(
  command: Pick<ShellCommand, "text" | "words" | "plain" | "redirects">,
  progress: ReadingProgress,
  readScript: (text: string) => void,
): void {
  const { words } = command;
  const { folders } = progress;
  if (words.length === 0) {
    if (command.redirects.length > 0) progress.commands.push({ ...command, folders, transparent: true });
    return;
  }
  if (words[0] === null) doubt(progress, "the name of a command isn't known before it runs");
  const inner = unwrap(words);
  progress.commands.push({ ...command, folders, transparent: inner?.transparent ?? false });
  if (words[0] === "cd") changeFolder(words, progress);
  if (inner?.doubt !== undefined) doubt(progress, inner.doubt);
  if (inner?.script !== undefined) readScript(inner.script);
  for (const innerWords of inner?.commands ?? []) {
    progress.depth++;
    if (progress.depth > MAX_DEPTH) doubt(progress, "it is too long or nested too deeply to be read");
    else {
      const text = innerWords.map((word) => word ?? "...").join(" ");
      addCommand({ text, words: innerWords, plain: command.plain, redirects: [] }, progress, readScript);
    }
    progress.depth--;
  }
}

export function redirectUse(redirect: Redirection, progress: ReadingProgress): readonly RedirectUse[] {
  if (redirect.type === "HereDoc") readHereDocument(redirect, progress);
  if (redirect.type !== "Redirect") return [];
  const { operator, target } = redirect;
  // `>&2`, `<&-`: another descriptor, not a file.
  if (/^[<>]&$/.test(operator) && /^(\d+-?|-)$/.test(target?.text ?? "")) return [];
  const value = target === undefined ? null : wordValue(target, progress);
  const access = operator === "<" || operator === "<&" ? "read" : "write";
  const paths = value?.known === true && value.values.length > 0 ? value.values : [null];
  return paths.map((path) => ({ access, target: path }));
}

/** A line that goes on in the next one may end the document for bash and not for us. */
function readHereDocument({ closing, delimiter, body }: HereDoc, progress: ReadingProgress): void {
  if (closing === undefined) doubt(progress, "a here-document never ends");
  if (delimiter?.quoted !== true && body.text.includes("\\\n"))
    doubt(progress, "a here-document joins lines");
}

/** Variables that only change how something looks. Any other may change which program runs. */
const HARMLESS_VARIABLES =
  /^(LANG|LC_[A-Z]+|NO_COLOR|FORCE_COLOR|CLICOLOR|CI|COLUMNS|LINES|NODE_ENV|RUST_BACKTRACE|PYTHONUNBUFFERED)$/;

/** A locale may also be a path to one's own. */
export function isHarmlessVariable(name: string, value: string): boolean {
  return HARMLESS_VARIABLES.test(name) && /^[\w.@-]*$/.test(value);
}

export function readAssignment({ name, value }: Assignment, progress: ReadingProgress): void {
  if (value.type !== "Word" || !isHarmlessVariable(name, value.text))
    doubt(progress, `it sets the variable ${name}`);
}

/** The set only grows: a `cd` may fail, or happen in a subshell. */
function changeFolder(words: readonly KnownWord[], progress: ReadingProgress): void {
  const target = words[1] ?? "";
  if (words.length !== 2 || /^-|^$/.test(target) || progress.loops > 0) {
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

export function doubt(progress: ReadingProgress, why: string): void {
  progress.doubts.push(why);
}
