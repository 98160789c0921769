// Tells whether a simple command only reads, and which paths. Every other command needs a question.
import { basename } from "node:path";
import { isWithin, realPath } from "../base/real-path.ts";
import { splitArguments } from "./arguments.ts";
import type { DiskView } from "./disk.ts";
import type { GitExclusion } from "./git-exclusion.ts";
import type { GitSafety } from "./git-repository.ts";
import { SECRET_GLOBS } from "./guarded-paths.ts";
import { type GuardedWords, mayDoMore, type PathUse, type ReadOnlyAnswer } from "./read-only-answer.ts";
import { readOnlyGit } from "./read-only-git.ts";
import { asksVersion, HARMLESS, OWN_CHECKS, special } from "./read-only-special.ts";
import { READ_ONLY, type ReadOnlyCommand } from "./read-only-table.ts";
import type { ShellCommand } from "./shell-command.ts";
import { isShell } from "./shell-wrapper.ts";

export interface Ground {
  /** The folders of the project. */
  readonly roots: readonly string[];
  readonly disk: DiskView;
  /** What git would run because of the configuration in a folder. */
  readonly repository: (folder: string) => GitSafety;
  /** What git may not show there. */
  readonly exclusion: (folder: string) => GitExclusion;
}

const SYSTEM_FOLDERS = /^\/(usr\/)?bin\/[^/]+$/;
/** One program under many names. */
const MULTI_CALL = /^(busybox|toybox|coreutils)$/;
/** Options that make a command follow the symlinks below a folder. */
const FOLLOWING = /^(-[RL]|--dereference-recursive|--follow)$/;
const BUILTINS = /^(\[|builtin|eval|exec)$/;

export function readOnly(command: ShellCommand, ground: Ground): ReadOnlyAnswer {
  const { words, plain, folders } = command;
  const [written, ...rest] = words;
  if (written === undefined) return HARMLESS;
  if (written === null) return mayDoMore("its name isn't known before it runs");
  const name = SYSTEM_FOLDERS.test(written) ? basename(written) : written;
  const entry = Object.hasOwn(READ_ONLY, name) ? READ_ONLY[name] : undefined;
  const isKnown = entry !== undefined || name === "git" || OWN_CHECKS.test(name) || command.transparent;
  if (!isKnown && !asksVersion(name, rest))
    return mayDoMore(`${written} isn't one of the commands that only read`);
  const foreign = foreignProgram(written, entry, ground);
  if (foreign !== null) return mayDoMore(foreign);
  if (asksVersion(name, rest)) return HARMLESS;
  const known = rest.filter((word) => word !== null);
  const takesAnything = command.transparent || entry?.positionals === "anything";
  if (known.length < rest.length && !takesAnything)
    return {
      ...mayDoMore(`the arguments of ${name} aren't known before it runs`),
      ...(entry?.positionals !== "text" && { readsUnknown: "files" }),
    };
  if (!plain) return mayDoMore(`${name} would show a variable that may hold a secret`);
  if (command.transparent) return HARMLESS;
  if (name === "git") return readOnlyGit(known, folders, ground);
  const answer = special(name, rest, (words) => readOnly({ ...command, words }, ground));
  if (answer !== null) return answer;
  if (entry === undefined) return mayDoMore(`${name} isn't known`);
  if (entry.positionals === "anything") return HARMLESS;
  const read = readOnlyByTable(name, known, entry);
  return name === "rg" && read.harmless ? { ...read, guarded: withoutSecrets(written, known) } : read;
}

/** A project's file can make ripgrep read what is hidden and ignored. */
function withoutSecrets(name: string, words: readonly string[]): GuardedWords {
  return { words: [name, `--iglob=!{${SECRET_GLOBS.join(",")}}`, ...words], variables: {} };
}

/** A program of the same name in the project or the working directory is not the one in the table. */
function foreignProgram(
  name: string,
  entry: ReadOnlyCommand | undefined,
  { roots, disk }: Ground,
): string | null {
  if (entry?.builtin === true || BUILTINS.test(name) || SYSTEM_FOLDERS.test(name)) return null;
  const path = disk.findProgram(name);
  if (path === null) return null;
  const real = path.startsWith("/") ? realPath(path, disk) : null;
  const isProjects = (each: string) => roots.some((root) => isWithin(each, root));
  if (real === null || isProjects(real) || isProjects(path))
    return `${name} would run ${path}, which isn't the system's`;
  const file = basename(real);
  // The script of a shell is read here, whichever shell it is for. There are several awks.
  const isMeant =
    file.replace(/^.*-linux-gnu-/, "").startsWith(name) ||
    MULTI_CALL.test(file) ||
    isShell(name) ||
    (name === "awk" && /^(m|g|original-)awk/.test(file));
  return isMeant ? null : `${name} would run ${real}, which may be something else`;
}

/** The file names that the globs include, as plain wildcards; null if that can't be determined. */
function includedNames(globs: readonly string[]): readonly string[] | null {
  const names = globs.flatMap((glob) => {
    const name = glob.slice(glob.lastIndexOf("/") + 1);
    const braces = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(name);
    if (braces === null) return [name];
    return (braces[2] ?? "").split(",").map((choice) => `${braces[1]}${choice}${braces[3]}`);
  });
  return names.every((name) => /^[\w.*?-]+$/.test(name)) ? names : null;
}

function readOnlyByTable(name: string, words: readonly string[], entry: ReadOnlyCommand): ReadOnlyAnswer {
  const split = splitArguments(words, entry.flags);
  if (!split.ok) return mayDoMore(`${name} ${split.problem} isn't on the list of harmless options`);
  const { options, positionals, mixed } = split;
  // A program that stops at the first positional would write to a file with the name of the option.
  if (mixed && entry.most === 1) return mayDoMore(`${name} may take an option after a file for another file`);
  if (entry.most !== undefined && positionals.length > entry.most)
    return mayDoMore(`${name} takes at most ${entry.most} of these without writing`);
  if (entry.positionals === "none" && positionals.length > 0)
    return mayDoMore(`${name} with arguments may change something`);
  const uses: PathUse[] = options.flatMap(({ kind, value }) =>
    kind === "<" && value !== null ? [{ path: value, extent: "file" }] : [],
  );
  if (entry.positionals === "text") return { harmless: true, uses };
  const has = (flags: readonly string[] = []) => options.some(({ flag }) => flags.includes(flag));
  const tree = entry.treeFlags === "always" || has(entry.treeFlags);
  const globs = options.flatMap(({ flag, value }) =>
    entry.includeFlags?.includes(flag) === true && value?.startsWith("!") === false ? [value] : [],
  );
  // If files that match no option are read, as after --exclude, the others don't narrow it.
  const include = has(entry.openingFlags) ? null : includedNames(globs);
  const plainExtent = entry.positionals === "names" ? "names" : (entry.extent ?? "file");
  // An explicit glob makes ripgrep read matching hidden and ignored files, too.
  const extent = tree || (include === null && plainExtent === "visible") ? "tree" : plainExtent;
  const follows =
    entry.treeFlags === "always" || has(entry.treeFlags?.filter((flag) => FOLLOWING.test(flag)));
  const used = (path: string): PathUse => ({
    path,
    extent,
    ...(follows && { follows }),
    ...(include?.length && { include }),
  });
  const isPattern = entry.positionals === "pattern-files" && !has(entry.patternFlags);
  const paths = isPattern ? positionals.slice(1) : positionals;
  uses.push(...paths.filter((path) => path !== "-").map(used));
  if (paths.length === 0 && (tree || entry.readsFolder === true)) uses.push(used("."));
  return { harmless: true, uses };
}
