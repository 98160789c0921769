// Whether the words of a command name nothing but ordinary files of the project. A rule for the beginning of a command
// covers no other further words, and a reviewing model is asked about no others.
import { basename } from "node:path";
import { isStream, realPaths } from "../base/real-path.ts";
import { absolute } from "./act.ts";
import type { PermissionContext } from "./context.ts";
import { isObeyed, isSecret } from "./guarded-paths.ts";
import { isOutside } from "./project-path.ts";
import type { KnownWord } from "./rule-match.ts";

/** Options whose value is a program, or a configuration that may name one. */
const PROGRAM_OPTIONS = (
  "exec toolexec exec-path config config-env configuration upload-pack receive-pack rcfile shell script-shell " +
  "node-options userconfig globalconfig preload require import loader command cmd editor pager wrapper program hook " +
  "hooks eval overlay vettool modfile ext-diff textconv git-dir work-tree checkpoint-action init-file"
).split(" ");
/** Shorter than this, a shortened option can't be told from others. */
const MIN_CHARACTERS = 3;

/** Many programs take `--upload-p` for `--upload-pack`, and have their own options that end like these. */
function namesProgram(word: string): boolean {
  const name = /^--?([^=]+)/.exec(word)?.[1]?.toLowerCase() ?? "";
  if (name.length < MIN_CHARACTERS) return false;
  const isShortened = (option: string) => word.startsWith("--") && option.startsWith(name);
  return PROGRAM_OPTIONS.some((each) => name === each || name.endsWith(`-${each}`) || isShortened(each));
}

/** The same as letters, for programs whose further words people leave open. */
const SHORT_OPTIONS: Readonly<Record<string, RegExp>> = {
  git: /^-[cC]/,
  npm: /^-C/,
  pnpm: /^-C/,
  go: /^-C/,
  cargo: /^-[CZ]/,
};

/** Why a rule for the beginning of a command doesn't cover these further words, or null if it does. */
export function notCovered(
  name: string,
  further: readonly KnownWord[],
  folders: ReadonlySet<string>,
  context: PermissionContext,
): string | null {
  const short = SHORT_OPTIONS[basename(name)];
  for (const word of further) {
    if (word === null) return "a word that isn't known before it runs";
    if (namesProgram(word) || short?.test(word) === true)
      return `${word}, which may name a program or its configuration`;
    const odd = partsOf(word).find((part) => !isOrdinary(part, folders, context));
    if (odd !== undefined) return `${odd}, which isn't an ordinary file of the project`;
  }
  return null;
}

/** Also looks into words that are code. */
export function areOrdinary(
  words: readonly KnownWord[],
  folders: ReadonlySet<string>,
  context: PermissionContext,
): boolean {
  return words.every((word) => {
    if (word === null) return false;
    const pieces = word.split(/[^\w.~/+-]+/);
    return [...partsOf(word), ...pieces].every((part) => isOrdinary(part, folders, context));
  });
}

/** The word, and each end of it that may be a value: after `=`, `:`, `@` or `,`, or attached to short options. */
function partsOf(word: string): readonly string[] {
  const parts = [word];
  // A blank ends it, because then the word is a sentence and not an option with a value.
  const beginning = /^\S*/.exec(word)?.[0] ?? "";
  for (let index = 0; index < Math.min(beginning.length, MAX_BEGINNING); index++)
    if (/[=:@,]/.test(beginning[index] ?? "")) parts.push(word.slice(index + 1));
  const flags = /^-[A-Za-z0-9]+/.exec(word)?.[0].length ?? 0;
  for (let index = 2; index <= Math.min(flags, MAX_FLAGS); index++) parts.push(word.slice(index));
  return parts;
}

const MAX_BEGINNING = 500;
const MAX_FLAGS = 20;

function isOrdinary(part: string, folders: ReadonlySet<string>, context: PermissionContext): boolean {
  const { home, disk } = context;
  if (part === "" || isStream(part)) return true;
  // Many programs expand it themselves.
  if (part.startsWith("~")) return false;
  return [...folders].every((folder) => {
    const path = absolute(part, folder);
    return [path, ...realPaths(path, disk)].every(
      (each, index) =>
        each !== null &&
        !isSecret(each, home) &&
        !isObeyed(each, home) &&
        (index === 0 || !isOutside(each, "write", context)),
    );
  });
}
