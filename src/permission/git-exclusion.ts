// Keeps files that rules forbid to read out of what git shows of their contents, of which a history may hold more than
// the folder does. It is done with pathspecs that exclude them; where that isn't possible, the command is asked about.
import { join } from "node:path";
import { isWithin, realPath } from "../base/real-path.ts";
import { absolute } from "./act.ts";
import type { Split } from "./arguments.ts";
import { type PermissionContext, rulesInForce } from "./context.ts";
import type { DiskView } from "./disk.ts";
import { hasOption } from "./effect.ts";
import { pathOfPattern } from "./path-pattern.ts";
import { foldersAbove, projectFolders } from "./project-path.ts";

/** Pathspecs that exclude the forbidden files; null if nothing else than a question helps. */
export type GitExclusion = readonly string[] | null;

export interface ExclusionGround {
  readonly disk: DiskView;
  /** What git may not show in a folder. */
  readonly exclusion: (folder: string) => GitExclusion;
}

/** Commands of git that show what is in files. */
const SHOWS_CONTENTS =
  /^(diff|log|show|grep|blame|annotate|cat-file|archive|stash|reflog|format-patch|whatchanged|diff-.*|range-diff|bundle|fast-export|difftool|checkout-index|unpack-file|status)$/;
const TAKES_PATHSPECS = /^(diff|log|show|reflog|grep)$/;
/** Options with which differences are shown, or searched. */
const PATCH = (
  "--patch --patch-with-stat --patch-with-raw --unified --function-context --cc --binary --word-diff " +
  "--word-diff-regex --color-words --color-moved --diff-merges --remerge-diff --dd --ext-diff --textconv"
).split(" ");
const PATCH_LETTERS = "puUWcmSGL";
/** Options with which nothing but names and numbers of differences are shown. */
const SUMMARY =
  /^(-s|--(name-only|name-status|stat|numstat|shortstat|summary|compact-summary|raw|dirstat|no-patch|quiet)(=.*)?)$/;

/** The words of a git command that runs as it is written. */
export function mayShowContents(words: readonly string[]): boolean {
  const index = words.findIndex((word) => SHOWS_CONTENTS.test(word));
  return index >= 0 && showsContents(words[index] ?? "", words.slice(index + 1));
}

function showsContents(name: string, words: readonly string[]): boolean {
  const patch = hasOption(words, PATCH, PATCH_LETTERS);
  switch (name) {
    case "cat-file":
      return !words.some((word) => /^-[tse]$/.test(word));
    case "status":
      return hasOption(words, ["--verbose"], "v");
    // It shows the one file that it is given, which is judged by its name.
    case "blame":
    case "annotate":
      return false;
    case "log":
    case "reflog":
      return patch;
    case "stash":
      return words[0] !== "list" || patch;
    // What it shows of an object that is no commit doesn't depend on options.
    case "show":
      return true;
    case "diff":
      return patch || !words.some((word) => SUMMARY.test(word));
    default:
      return SHOWS_CONTENTS.test(name);
  }
}

/** With these, pathspecs don't narrow what is shown, or can't be added. */
const OPENS_AGAIN = new Set(["--follow", "--full-diff", "-L"]);

interface GitWords {
  readonly name: string;
  /** Up to the name. */
  readonly before: readonly string[];
  readonly given: readonly string[];
  readonly split: Extract<Split, { ok: true }>;
  /** How many positionals are patterns. */
  readonly patterns: number;
  readonly folder: string;
}

/** The words after the name, so that nothing forbidden is shown; null if that can't be said with words. */
export function withoutForbidden(
  words: GitWords,
  { exclusion, disk }: ExclusionGround,
): readonly string[] | null {
  const { name, before, given, split, patterns, folder } = words;
  const flags = split.options.map(({ flag }) => flag);
  if (!showsContents(name, name === "stash" ? before.slice(-1).concat(given) : given)) return given;
  const excluded = exclusion(folder);
  if (excluded?.length === 0) return given;
  if (excluded === null || !TAKES_PATHSPECS.test(name) || before.includes("--literal-pathspecs")) return null;
  if (flags.some((flag) => OPENS_AGAIN.has(flag))) return null;
  const end = given.indexOf("--");
  const isPath = (index: number) => {
    const word = given[index] ?? "";
    if (end >= 0) return index > end;
    return /[*?[]/.test(word) || disk.kindOf(absolute(word, folder)) !== null;
  };
  const at = new Set(split.at.slice(patterns));
  const rest = given.filter((_, index) => index !== end && !at.has(index));
  const paths = given.filter((_, index) => at.has(index) && isPath(index));
  const revisions = given
    .filter((_, index) => at.has(index) && !isPath(index))
    .map((each) => asCommit(each, name));
  if (revisions.includes(null)) return null;
  return [...rest, ...revisions.filter((each) => each !== null), "--", ...paths, ...excluded];
}

/** A number may be that of a file or a folder, which pathspecs don't apply to. Only a commit passes. */
function asCommit(revision: string, name: string): string | null {
  if (revision.includes("^{") || (revision.includes(":") && name !== "show")) return null;
  if (revision.includes(":")) return revision;
  return revision
    .split(/(\.{2,3})/)
    .map((piece) => (/^\^?[0-9a-f]{4,}$/i.test(piece) ? `${piece}^{commit}` : piece))
    .join("");
}

/** For a git that runs in this folder. */
export function gitExclusion(folder: string, context: PermissionContext): GitExclusion {
  const patterns = forbiddenPatterns(context);
  if (patterns.length === 0) return [];
  const top = topOf(realPath(folder, context.disk) ?? folder, context);
  const specs = patterns.map((pattern) => (top === null ? null : pathspecs(pattern, top)));
  return specs.includes(null) ? null : specs.flatMap((each) => each ?? []);
}

/** The patterns that files of the project may match. */
function forbiddenPatterns(context: PermissionContext): readonly string[] {
  return rulesInForce(context).flatMap(({ verdict, subject }) => {
    if (verdict === "allow" || subject.type !== "path" || subject.access !== "read") return [];
    if (subject.pattern === null) return ["/**"];
    const pattern = pathOfPattern(subject.pattern, context);
    const fixed = pattern.split(/[*?]/, 1)[0] ?? "";
    // Without a wildcard it is a path, and with one, the folder before it.
    const start = fixed === pattern ? pattern : fixed.slice(0, fixed.lastIndexOf("/")) || "/";
    const concerns = projectFolders(context).some((each) => isWithin(start, each) || isWithin(each, start));
    return concerns ? [pattern] : [];
  });
}

function topOf(folder: string, context: PermissionContext): string | null {
  const folders = foldersAbove(folder, projectFolders(context));
  return folders.find((each) => context.disk.kindOf(join(each, ".git")) !== null) ?? null;
}

/** Rules ignore case, and a folder includes what is in it. */
function pathspecs(pattern: string, top: string): readonly string[] | null {
  if (!pattern.startsWith(`${top}/`)) return null;
  const inside = pattern.slice(top.length + 1).replace(/\/$/, "");
  if (inside === "" || /[\\[\]]/.test(inside)) return null;
  return [inside, `${inside}/**`].map((each) => `:(top,exclude,icase,glob)${each}`);
}
